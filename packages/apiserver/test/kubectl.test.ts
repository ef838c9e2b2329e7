// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlIn, withoutKubectl } from './kubectl.ts';
import { servedServer, type ServedServer } from './served-server.ts';

type Data = Readonly<Record<string, string>>;

function colors(data: Data): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'colors' }, data });
}

function list(...items: readonly string[]): string {
  return `{"apiVersion":"v1","kind":"List","items":[${items.join(',')}]}`;
}

function widget(spec: object): string {
  return JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec });
}

describe('kubectl writes', { skip: withoutKubectl(), concurrency: 4 }, () => {
  let server: ServedServer;
  before(async () => {
    server = await servedServer();
  });
  after(() => server[Symbol.asyncDispose]());

  test('changes by apply, and removes what is no longer in the manifest', async () => {
    const kubectl = await kubectlIn(server, 'apply');
    const apply = (data: Data) => kubectl('apply -f -', [], { input: colors(data) });
    assert.equal(await apply({ a: 'red', b: 'blue' }), 'configmap/colors created\n');
    assert.equal(await apply({ a: 'red', b: 'blue' }), 'configmap/colors unchanged\n');
    const diff = await kubectl('diff -f -', [], { input: colors({ a: 'green' }), ends: 1 });
    assert.match(diff, /^-  a: red$[^]*^-  b: blue$[^]*^\+  a: green$/m);
    assert.equal(await apply({ a: 'green' }), 'configmap/colors configured\n');
    assert.equal(await kubectl('diff -f -', [], { input: colors({ a: 'green' }) }), '');
    assert.equal(await kubectl('get configmap colors -o jsonpath={.data}'), '{"a":"green"}');
  });

  test('by server-side apply, which conflicts with other managers until forced', async () => {
    const kubectl = await kubectlIn(server, 'server-side');
    const apply = (manager: string, color: string, more: readonly string[] = [], ends = 0) =>
      kubectl(`apply --server-side -f - --field-manager=${manager}`, more, { input: colors({ color }), ends });
    assert.equal(await apply('mine', 'red'), 'configmap/colors serverside-applied\n');
    assert.match(await apply('other', 'blue', [], 1), /conflict with "mine": \.data\.color/);
    assert.equal(await apply('other', 'blue', ['--force-conflicts']), 'configmap/colors serverside-applied\n');
    assert.match(await kubectl('get configmap colors -o yaml --show-managed-fields'), /manager: other/);
    assert.doesNotMatch(await kubectl('get configmap colors -o yaml'), /managedFields/);
  });

  test('by server-side apply after client-side apply', async () => {
    const kubectl = await kubectlIn(server, 'migrate');
    await kubectl('apply -f -', [], { input: colors({ a: '1', b: '2' }) });
    await kubectl('apply --server-side -f -', [], { input: colors({ a: '1' }) });
    assert.equal(await kubectl('get configmap colors -o jsonpath={.data}'), '{"a":"1"}');
  });

  test('nothing with unknown fields, nor on a dry run', async () => {
    const kubectl = await kubectlIn(server, 'validate');
    const input = colors({ a: '1' }).replace('"data"', '"date"');
    assert.match(await kubectl('apply --validate=strict -f -', [], { input, ends: 1 }), /unknown field "date"/);
    assert.match(await kubectl('create -f -', [], { input, ends: 1 }), /unknown field "date"/);
    const warned = await kubectl('apply --validate=warn --dry-run=server -f -', [], { input });
    assert.match(warned, /Warning: unknown field "date"[^]*configmap\/colors created \(server dry run\)/);
    assert.equal(await kubectl('get configmap colors --ignore-not-found'), '');
  });

  test('the items of a list, and reports unknown kinds', async () => {
    const kubectl = await kubectlIn(server, 'lists');
    const input = list(colors({ a: '1' }), colors({ a: '2' }).replace('colors', 'more'));
    assert.equal(await kubectl('create -f -', [], { input }), 'configmap/colors created\nconfigmap/more created\n');
    const unknown = list(colors({}).replace('ConfigMap', 'Palette'));
    assert.match(
      await kubectl('apply -f -', [], { input: unknown, ends: 1 }),
      /no matches for kind "Palette" in version "v1"/,
    );
  });

  test('by its create commands, in protobuf', async () => {
    const kubectl = await kubectlIn(server, 'create');
    const commands = {
      'configmap a --from-literal=x=1': 'configmap/a',
      'secret generic a --from-literal=x=1': 'secret/a',
      'deployment a --image=a:1 --replicas=0': 'deployment.apps/a',
      'service clusterip a --tcp=80:8080': 'service/a',
      'job a --image=a:1': 'job.batch/a',
      'cronjob a --image=a:1 --schedule=@daily': 'cronjob.batch/a',
      'poddisruptionbudget a --selector=a=b --min-available=0': 'poddisruptionbudget.policy/a',
      'serviceaccount a': 'serviceaccount/a',
      'role a --verb=get --resource=pods': 'role.rbac.authorization.k8s.io/a',
      'rolebinding a --role=a --serviceaccount=create:a': 'rolebinding.rbac.authorization.k8s.io/a',
      'clusterrole create-a --verb=get --resource=pods': 'clusterrole.rbac.authorization.k8s.io/create-a',
      'clusterrolebinding create-a --clusterrole=view --user=a':
        'clusterrolebinding.rbac.authorization.k8s.io/create-a',
      'priorityclass create-a --value=7': 'priorityclass.scheduling.k8s.io/create-a',
    };
    const said = await Promise.all(Object.keys(commands).map((command) => kubectl(`create ${command}`)));
    const created = Object.values(commands).map((name) => `${name} created\n`);
    assert.deepEqual(said, created);
    assert.match(await kubectl('create configmap a', [], { ends: 1 }), /configmaps "a" already exists/);
    assert.equal(await kubectl('get secret a -o jsonpath={.data.x}'), 'MQ==');
    assert.match(await kubectl('create token a'), /^ey[\w-]+\.[\w-]+\.[\w-]+$/m);
  });

  test('patches of three types, labels, annotations, and edits', async () => {
    const kubectl = await kubectlIn(server, 'patch');
    await kubectl('create -f -', [], { input: colors({ a: 'red', b: 'blue' }) });
    await kubectl('patch configmap colors -p', ['{"data":{"c":"green"}}']);
    await kubectl('patch configmap colors --type=merge -p', ['{"data":{"a":null}}']);
    await kubectl('patch configmap colors --type=json -p', ['[{"op":"replace","path":"/data/b","value":"black"}]']);
    await kubectl('label configmap colors kind=paint');
    assert.match(await kubectl('label configmap colors kind=light', [], { ends: 1 }), /already has a value \(paint\)/);
    await kubectl('label configmap colors kind=light --overwrite');
    await kubectl('annotate configmap colors note=x');
    const edited = await kubectl('edit configmap colors', [], { env: { KUBE_EDITOR: 'sed -i s/green/white/' } });
    assert.equal(edited, 'configmap/colors edited\n');
    const columns = 'DATA:.data,LABELS:.metadata.labels,NOTE:.metadata.annotations.note';
    const row = await kubectl(`get configmap colors --no-headers -o custom-columns=${columns}`);
    assert.match(row, /^map\[b:black c:white\] +map\[kind:light\] +x\n$/);
    const kept = await kubectl('edit configmap colors', [], { env: { KUBE_EDITOR: 'true' } });
    assert.equal(kept, 'Edit cancelled, no changes made.\n');
  });

  test('custom resources like any other', async () => {
    const kubectl = await kubectlIn(server, 'custom');
    await kubectl('apply -f -', [], { input: JSON.stringify(definition) });
    await kubectl('wait --for=condition=Established --timeout=60s crd/widgets.example.com');
    await kubectl('apply -f -', [], { input: widget({}) });
    await kubectl('scale widget w --replicas=3');
    assert.equal(await kubectl('get wd'), 'NAME   SIZE\nw      3\n');
    assert.match(await kubectl('describe widget w'), /^Spec:\n {2}Replicas: {2}3$/m);
    assert.match(await kubectl('explain widget.spec.replicas'), /FIELD: replicas <integer>[^]*The desired number\./);
    const refused = await kubectl('apply -f -', [], { input: widget({ replicas: -1 }), ends: 1 });
    assert.match(refused, /spec\.replicas: Invalid value: -1: .* should be greater than or equal to 0/);
    assert.match(await kubectl('apply -f -', [], { input: widget({ size: 1 }), ends: 1 }), /unknown field "spec.size"/);
    await kubectl('delete crd widgets.example.com');
  });
});

const replicas = { type: 'integer', default: 1, minimum: 0 };
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets', shortNames: ['wd'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.replicas' }],
        subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { replicas: { ...replicas, description: 'The desired number.' } },
              },
              status: { type: 'object', properties: { replicas } },
            },
          },
        },
      },
    ],
  },
};
