// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlIn, withoutKubectl } from './kubectl.ts';
import { servedServer, type ServedServer } from './served-server.ts';

describe('kubectl shows', { skip: withoutKubectl(), concurrency: 4 }, () => {
  let server: ServedServer;
  before(async () => {
    server = await servedServer();
  });
  after(() => server[Symbol.asyncDispose]());

  test('objects in every output format', async () => {
    const kubectl = await kubectlIn(server, 'get');
    await kubectl('create configmap a --from-literal=x=1 --from-literal=z=2');
    await kubectl('create configmap b');
    await kubectl('label configmap b tier=gold');
    assert.match(await kubectl('get configmaps'), /^NAME +DATA +AGE\na +2 +\d+s\nb +0 +\d+s\n/);
    assert.match(
      await kubectl('get cm -l tier=gold --show-labels'),
      /^NAME +DATA +AGE +LABELS\nb +0 +\d+s +tier=gold\n$/,
    );
    assert.equal(await kubectl('get cm --field-selector=metadata.name=a -o name'), 'configmap/a\n');
    assert.match(await kubectl('get cm -A'), /^NAMESPACE +NAME[^]*^get +a +2/m);
    assert.match(await kubectl('get cm a -o yaml'), /^data:\n {2}x: "1"\n {2}z: "2"\nkind: ConfigMap$/m);
    assert.equal((JSON.parse(await kubectl('get cm a -o json')) as { kind: string }).kind, 'ConfigMap');
    assert.equal(await kubectl('get cm a -o', ['go-template={{.data.x}}']), '1');
    assert.match(await kubectl('get cm none', [], { ends: 1 }), /NotFound.*configmaps "none" not found/);
    assert.match(await kubectl('get things', [], { ends: 1 }), /doesn't have a resource type "things"/);
    assert.match(await kubectl('get ns get -o wide'), /^NAME +STATUS +AGE\nget +Active/);
  });

  test('changes as they happen', async () => {
    const kubectl = await kubectlIn(server, 'watch');
    await kubectl('create configmap first');
    const started = new Promise<void>((resolve) => {
      server.line.inject(
        async (request, next) => {
          const response = await next(request);
          resolve();
          return response;
        },
        ({ path, query }) => path.includes('/namespaces/watch/') && query['watch'] === 'true',
      );
    });
    const watching = kubectl('get configmaps --watch --output-watch-events', [], { until: /DELETED +second/ });
    await started;
    await kubectl('create configmap second');
    await kubectl('delete configmap second');
    assert.match(await watching, /^EVENT +NAME +DATA +AGE\nADDED +first[^]*^ADDED +second[^]*^DELETED +second/m);
  });

  test('the fields of a kind', async () => {
    const kubectl = await kubectlIn(server, 'explain');
    assert.match(await kubectl('explain pod.spec.containers.resources'), /limits\t<map\[string\]Quantity>/);
    const deployment = await kubectl('explain deployment --recursive');
    assert.match(deployment, /^GROUP: +apps\nKIND: +Deployment\nVERSION: +v1$[^]*^ {2}spec\t<DeploymentSpec>$/m);
    assert.match(deployment, /^ +name\t<string> -required-$/m);
    const older = await kubectl('explain deployment.spec.template.spec.containers --output=plaintext-openapiv2');
    assert.match(older, /^RESOURCE: containers <\[\]Object>$[^]*^ +image\t<string>$/m);
  });

  test('API resources and the server version', async () => {
    const kubectl = await kubectlIn(server, 'discovery');
    const resources = await kubectl('api-resources');
    assert.match(resources, /^deployments +deploy +apps\/v1 +true +Deployment$/m);
    assert.match(await kubectl('api-resources --namespaced=false -o name'), /^nodes$/m);
    assert.match(await kubectl('api-versions'), /^apps\/v1\n[^]*^v1$/m);
    assert.match(await kubectl('version'), /^Server Version: v1\.36\.\d+/m);
    assert.match(await kubectl('cluster-info'), /control plane.* is running at .*https:\/\/127\.0\.0\.1/);
    assert.equal(await kubectl('get --raw /readyz'), 'ok');
  });

  test('the permissions of users', async () => {
    const kubectl = await kubectlIn(server, 'access');
    await kubectl('create role reader --verb=get,list --resource=configmaps');
    await kubectl('create rolebinding jane --role=reader --user=jane');
    assert.equal(
      await kubectl('auth can-i delete nodes'),
      "Warning: resource 'nodes' is not namespace scoped\n\nyes\n",
    );
    assert.equal(await kubectl('auth can-i list configmaps --as=jane'), 'yes\n');
    assert.equal(await kubectl('auth can-i list secrets --as=jane', [], { ends: 1 }), 'no\n');
    assert.match(await kubectl('auth can-i --list --as=jane'), /^configmaps +\[\] +\[\] +\[get list\]$/m);
    assert.match(await kubectl('auth whoami'), /^Username +admin$/m);
    assert.match(
      await kubectl('auth whoami --as=jane --as-group=artists'),
      /^Groups +\[artists system:authenticated\]$/m,
    );
    await kubectl('create configmap seen');
    assert.match(await kubectl('get configmaps -o name --as=jane'), /^configmap\/seen$/m);
    const refused = await kubectl('get secrets --as=jane', [], { ends: 1 });
    assert.match(
      refused,
      /secrets is forbidden: User "jane" cannot list resource "secrets".* in the namespace "access"/,
    );
  });
});
