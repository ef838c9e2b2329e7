// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore, ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { ApplicationCredential, Domain, Endpoint, Service, User } from '@forge/kube/third-party/korc.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { prometheusMetrics } from '@forge/runtime/observability/prometheus-metrics.ts';
import { countedErrors } from '@forge/testing/counted-errors.ts';
import { installKind } from '@forge/testing/install-kind.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { childKinds } from './child-kinds.ts';
import { brownfield, controlPlaneFixture, home } from './control-plane-fixture.ts';
import {
  at,
  backupName,
  cloudsYamlName,
  credentialName,
  nudge,
  readyControlPlane,
  setSynced,
  storePassword,
} from './credential-steps.ts';
import { refusedRequests } from './refused-requests.ts';
import { korcObjects } from './script-korc.ts';
import {
  allReady,
  startControlPlaneOperator,
  createControlPlane,
  createCredentials,
} from './start-control-plane-operator.ts';

describe('the admin credential', () => {
  test('goes through OpenBao with a database of the user, too', async () => {
    await using operator = await startControlPlaneOperator();
    await createCredentials(operator);
    await createControlPlane(operator, { infrastructure: brownfield });
    await operator.untilCondition('Ready', allReady);
    const { client } = operator.cluster;
    assert.ok((await client.get(PushSecret, backupName)).status?.syncedResourceVersion);
    assert.equal((await client.get(ExternalSecret, cloudsYamlName)).spec.target?.name, 'k-orc-clouds-yaml');
  });

  test('follows the password in every rotation mode, and ignores the resources to bootstrap', async () => {
    await using operator = await startControlPlaneOperator();
    const { adminCredential } = controlPlaneFixture().spec.korc;
    const rotation = { mode: 'Manual' } as const;
    const korc = {
      adminCredential: {
        ...adminCredential,
        applicationCredential: { ...adminCredential.applicationCredential, rotation },
        bootstrapResources: [{ kind: 'Project' as const, name: 'service' }],
      },
    };
    await createControlPlane(operator, { korc });
    await operator.untilCondition('Ready', allReady);
    const { id } = (await operator.controlPlane()).status?.adminApplicationCredential ?? {};
    operator.keystone.bootstrap({ password: 'second' });
    await storePassword(operator, 'second');
    await operator.cluster.clock.advance(seconds(30));
    await operator.untilCondition('Ready', allReady);
    assert.notEqual((await operator.controlPlane()).status?.adminApplicationCredential?.id, id);
    assert.ok(![...operator.keystone.state.resources.projects.values()].some(({ name }) => name === 'service'));
  });

  test('is refused to nobody but says so when K-ORC is not installed, and is minted once it is', async () => {
    const korcKinds = [Domain, User, ApplicationCredential, Service, Endpoint];
    const kinds = childKinds.filter((kind) => !korcKinds.some((each) => each === kind));
    const wanted = ['mariadb', 'memcached', 'externalSecrets', 'keystone'] as const;
    await using operator = await startControlPlaneOperator({ kinds, wanted });
    await createControlPlane(operator);
    await operator.cluster.clock.advance(seconds(5));
    assert.match(
      (await operator.condition('KORCReady')) ?? '',
      /^KindNotInstalled: Domain controlplane-domain-default /,
    );
    for (const kind of korcKinds) await installKind(operator.cluster, kind);
    await operator.neighbours.korc.start();
    await operator.untilCondition('Ready', allReady);
  });

  test('is written nowhere but in the namespace of its ControlPlane', async () => {
    const paths: string[] = [];
    const before = async ({ method, path }: { method: string; path: string }) => {
      if (method !== 'GET') paths.push(path);
    };
    await using operator = await readyControlPlane({ before });
    assert.ok(paths.length > 0);
    assert.deepEqual(
      paths.filter((path) => !path.includes(`/namespaces/${home.namespace}/`)),
      [],
    );
    assert.ok(await operator.controlPlane());
  });

  test('makes Ready what it is itself, in every pass', async () => {
    await using operator = await readyControlPlane();
    await operator.neighbours.korc.stop();
    await nudge(operator);
    await operator.cluster.clock.settle();
    assert.equal(await operator.condition('Ready'), 'NotAllReady: One or more sub-conditions are not ready');
    await operator.neighbours.korc.start();
    await operator.untilCondition('Ready', allReady);
  });

  test('is measured by the specified sub-reconcilers and no other', async () => {
    const metrics = prometheusMetrics();
    await using operator = await readyControlPlane({ metrics });
    const text = await metrics.text();
    const names = [...text.matchAll(/c5c3_operator_reconcile_duration_seconds_count\{sub_reconciler="(\w+)"\}/g)];
    assert.deepEqual(names.map(([, name = '']) => name).toSorted(), [
      'AdminCredential',
      'AdminPassword',
      'Catalog',
      'DBCredentials',
      'Infrastructure',
      'KORC',
      'Keystone',
    ]);
    assert.ok(await operator.controlPlane());
  });

  test('has its errors counted by sub-reconciler and condition, and no wait among them', async () => {
    const metrics = prometheusMetrics();
    const refused = refusedRequests();
    refused.pattern = /PATCH .*\/domains\//;
    await using operator = await startControlPlaneOperator({ metrics, ...refused });
    await createControlPlane(operator);
    await operator.cluster.clock.advance(seconds(5));
    refused.pattern = /PATCH .*\/services\//;
    await operator.cluster.clock.advance(seconds(30));
    assert.deepEqual(countedErrors(await metrics.text()), ['KORC KORCReady', 'Catalog CatalogReady']);
  });
});

describe('without waiting for a recheck, a ControlPlane notices', () => {
  /** What changes, and the condition that follows at once. */
  const changes = {
    'a new password, in the Secret that counts': [
      'KORCReady',
      /^ReMinting: /,
      (operator) => storePassword(operator, 'second'),
    ],
    'a nudge on its ApplicationCredential': ['KORCReady', /^ReMinting: /, nudge],
    'a Service that is gone': [
      'CatalogReady',
      /^WaitingForCatalog: /,
      ({ cluster: { client } }) => client.delete(Service, at(korcObjects.service.name)),
    ],
    'a store that is not ready': [
      'AdminCredentialReady',
      /^SecretStoreNotReady: /,
      (operator) => setSynced(operator, 'store', 'False'),
    ],
    'a store that is gone': [
      'AdminCredentialReady',
      /^SecretStoreNotReady: /,
      ({ cluster: { client } }) => client.delete(ClusterSecretStore, { name: 'openbao-cluster-store' }),
    ],
    'a PushSecret that is not ready': [
      'AdminCredentialReady',
      /^WaitingForPushSecret: /,
      (operator) => setSynced(operator, 'push', 'False'),
    ],
    'an ExternalSecret that is not ready': [
      'AdminCredentialReady',
      /^WaitingForCloudsYaml: /,
      (operator) => setSynced(operator, 'sync', 'False'),
    ],
    'another clouds.yaml, under its effective name': [
      'AdminCredentialReady',
      /^WaitingForCloudsYamlSync: /,
      ({ cluster: { client } }) => client.patch(Secret, cloudsYamlName, 'merge', { data: { 'clouds.yaml': '' } }),
    ],
    'a new endpoint': [
      'CatalogReady',
      /^WaitingForCatalog: /,
      ({ cluster: { client } }) =>
        client.patch(ControlPlane, home, 'merge', {
          spec: { services: { keystone: { publicEndpoint: 'https://a.b/v3' } } },
        }),
    ],
  } satisfies Record<
    string,
    [string, RegExp, (operator: Awaited<ReturnType<typeof readyControlPlane>>) => Promise<unknown>]
  >;

  for (const [what, [type, text, change]] of Object.entries(changes)) {
    test(what, async () => {
      const said: string[] = [];
      const observer = {
        condition: (seen: { type: string; reason: string; message: string }) =>
          void said.push(`${seen.type} ${seen.reason}: ${seen.message}`),
        event: () => {},
      };
      await using operator = await readyControlPlane({ observer });
      await operator.cluster.clock.advance(seconds(2));
      const isPassword = what.startsWith('a new password');
      // External Secrets would undo a status that is set in its place.
      if (!isPassword) await operator.neighbours.externalSecrets.stop();
      said.length = 0;
      await change(operator);
      if (isPassword) await operator.cluster.clock.advance(seconds(2));
      else await operator.cluster.clock.settle();
      const expected = new RegExp(`^${type} ${text.source.slice(1)}`);
      assert.ok(
        said.some((each) => expected.test(each)),
        said.join('\n'),
      );
    });
  }
});

test('a ControlPlane that is ready asks Keystone every ten minutes, and the API server nothing', async () => {
  const requests: string[] = [];
  const before = async ({ method, path }: { method: string; path: string }) => void requests.push(`${method} ${path}`);
  await using operator = await readyControlPlane({ before });
  const { clock, client } = operator.cluster;
  await clock.advance(minutes(1));
  requests.length = 0;
  const asked = operator.keystone.requests.length;
  await clock.advance(minutes(31));
  assert.deepEqual(requests, []);
  const logins = operator.keystone.requests.slice(asked);
  // By password and by credential.
  assert.ok(logins.length >= 6 && logins.length <= 8, logins.join('\n'));
  assert.ok(logins.every((request) => request === 'POST /v3/auth/tokens'));
  assert.ok(await client.get(Secret, credentialName));
});
