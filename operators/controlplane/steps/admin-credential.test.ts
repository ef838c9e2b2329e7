// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { ExternalSecret, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { Endpoint, Service } from '@forge/kube/third-party/korc.ts';
import { pushContentHashAnnotation } from '@forge/openstack/secret-store.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { SecretValue } from '@forge/runtime/secrets/secret-value.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { forceSyncAnnotation } from '../api/names.ts';
import { documentHash } from '../objects/credential/clouds-yaml.ts';
import { home } from '../test/control-plane-fixture.ts';
import {
  at,
  backupName,
  cloudsYamlName,
  createMinted,
  credentialName,
  nudge,
  readyControlPlane,
  setSynced,
  textIn,
} from '../test/credential-steps.ts';
import { paths } from '../test/neighbours.ts';
import { allReady, startControlPlaneOperator, createControlPlane } from '../test/start-control-plane-operator.ts';

const stale =
  'WaitingForCloudsYamlSync: materialized k-orc clouds.yaml does not yet match the assembled application credential; awaiting ESO re-sync';
const storeNotReady =
  'SecretStoreNotReady: ClusterSecretStore "openbao-cluster-store" is not ready; upstream secret backend unreachable';
const ready = '+AdminCredentialReady: Admin application credential committed and mirrored to OpenBao';

describe('the clouds.yaml of the admin credential', () => {
  test('goes to OpenBao with the value, and comes back; stamp and trigger are of the document and its push', async () => {
    await using operator = await readyControlPlane();
    const { client } = operator.cluster;
    const document = (await textIn(operator, credentialName.name)) ?? '';
    const value = await textIn(operator, credentialName.name, 'value');
    assert.deepEqual(operator.vault.read(paths.applicationCredential), { 'clouds.yaml': document, value });
    assert.equal(await textIn(operator, cloudsYamlName.name), document);
    const hash = documentHash(new SecretValue(document));
    const push = await client.get(PushSecret, backupName);
    assert.equal(push.metadata.annotations?.[pushContentHashAnnotation], hash);
    const sync = await client.get(ExternalSecret, cloudsYamlName);
    assert.equal(sync.metadata.annotations?.[forceSyncAnnotation], `${hash}/${push.status?.syncedResourceVersion}`);
  });

  test('is by password until the first credential is minted, and never again', async () => {
    const wanted = ['mariadb', 'memcached', 'externalSecrets', 'keystone'] as const;
    await using operator = await startControlPlaneOperator({ wanted });
    await createControlPlane(operator);
    await operator.cluster.clock.advance(seconds(5));
    for (const name of [credentialName, cloudsYamlName]) {
      assert.match((await textIn(operator, name.name)) ?? '', /password: "admin-secret"/);
    }
    await operator.neighbours.korc.start();
    await operator.untilCondition('Ready', allReady);
    await operator.neighbours.korc.stop();
    const document = await textIn(operator, credentialName.name);
    await nudge(operator);
    await operator.cluster.clock.advance(minutes(2));
    assert.equal(await textIn(operator, credentialName.name), document);
    await operator.cluster.client.delete(Secret, credentialName);
    await operator.cluster.clock.advance(minutes(2));
    assert.equal(await textIn(operator, credentialName.name), undefined);
    assert.doesNotMatch(JSON.stringify(operator.vault.read(paths.applicationCredential)), /admin-secret/);
  });

  test('keeps what K-ORC and others put on the Secret, and keys of others', async () => {
    await using operator = await readyControlPlane();
    const { client } = operator.cluster;
    const added = { metadata: { labels: { theirs: 'x' } }, data: { theirs: 'eA==' } };
    await client.patch(Secret, credentialName, 'merge', added);
    const before = (await operator.controlPlane()).status?.adminApplicationCredential?.id;
    await nudge(operator);
    await operator.cluster.clock.until(async () => {
      const { id } = (await operator.controlPlane()).status?.adminApplicationCredential ?? {};
      return id !== undefined && id !== before;
    });
    const { metadata, data } = await client.get(Secret, credentialName);
    assert.deepEqual([metadata.labels?.['theirs'], data?.['theirs']], ['x', 'eA==']);
  });

  for (const [what, spoil] of [
    ['overwritten', { 'clouds.yaml': 'clouds: {}', value: 'x' }],
    ['replaced by a password', { 'clouds.yaml': 'clouds: {admin: {auth: {password: x}}}' }],
  ] as const) {
    test(`heals when it is ${what} in OpenBao: pushed again after a minute, and read back`, async () => {
      await using operator = await readyControlPlane();
      const { client, clock } = operator.cluster;
      const document = await textIn(operator, credentialName.name);
      operator.vault.write(paths.applicationCredential, spoil, { marked: true });
      // At the next refresh, which somebody asks for here.
      await client.patch(ExternalSecret, cloudsYamlName, 'merge', { metadata: { labels: { now: '1' } } });
      await clock.settle();
      assert.equal(await operator.condition('AdminCredentialReady'), stale);
      const noticed = clock.now();
      await operator.untilCondition('Ready', allReady);
      assert.equal(await textIn(operator, cloudsYamlName.name), document);
      assert.ok(clock.now() - noticed <= seconds(75), `${clock.now() - noticed} ms`);
    });
  }

  test('is not touched by an outage of the store: the condition tells, the catalog goes on', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    await operator.neighbours.externalSecrets.stop();
    await setSynced(operator, 'store', 'False');
    await clock.settle();
    assert.equal(await operator.condition('AdminCredentialReady'), storeNotReady);
    const services = { keystone: { publicEndpoint: 'https://keystone.example.com/v3' } };
    await client.patch(ControlPlane, home, 'merge', { spec: { services } });
    await clock.advance(seconds(20));
    assert.match((await operator.condition('CatalogReady')) ?? '', /^\+/);
    const { spec } = await client.get(Endpoint, at('controlplane-identity-endpoint'));
    assert.equal(spec.resource?.url, 'https://keystone.example.com/v3');
    for (const [what, text] of [
      ['push', 'WaitingForPushSecret: admin app-credential PushSecret has not synced to OpenBao yet'],
      ['sync', 'WaitingForCloudsYaml: k-orc clouds.yaml ExternalSecret is not yet Ready'],
    ] as const) {
      await setSynced(operator, 'store');
      await setSynced(operator, what, 'False');
      await clock.settle();
      assert.equal(await operator.condition('AdminCredentialReady'), text);
      assert.match((await operator.condition('CatalogReady')) ?? '', /^\+/);
      await setSynced(operator, what);
    }
    await clock.settle();
    assert.equal(await operator.condition('AdminCredentialReady'), ready);
  });

  test('comes through an ExternalSecret that exists already without an owner, which is adopted', async () => {
    await using operator = await startControlPlaneOperator();
    const { client } = operator.cluster;
    const spec = { secretStoreRef: { kind: 'ClusterSecretStore', name: 'elsewhere' }, target: { name: 'theirs' } };
    await client.create(ExternalSecret, {
      apiVersion: 'external-secrets.io/v1',
      kind: 'ExternalSecret',
      metadata: cloudsYamlName,
      spec: { ...spec, data: [{ secretKey: 'clouds.yaml', remoteRef: { key: 'elsewhere' } }] },
    } as ExternalSecret);
    const owner = await createControlPlane(operator);
    await operator.untilCondition('Ready', allReady);
    const { ownerReferences } = (await client.get(ExternalSecret, cloudsYamlName)).metadata;
    assert.deepEqual(ownerReferences, [controllerReference(owner)]);
  });

  for (const [kind, name, text] of [
    [PushSecret, backupName, /^WaitingForPushSecret: /],
    [ExternalSecret, cloudsYamlName, /^WaitingForCloudsYaml: /],
  ] as const) {
    test(`does not count as synced by the ${kind.kind} while that is being deleted`, async () => {
      await using operator = await readyControlPlane();
      const { client, clock } = operator.cluster;
      await client.patch<KubeObject>(kind, name, 'merge', { metadata: { finalizers: ['example.com/hold'] } });
      await client.delete(kind, name);
      await clock.settle();
      assert.match((await operator.condition('AdminCredentialReady')) ?? '', text);
    });
  }

  test('is compared by meaning: another spelling of the same login is the same', async () => {
    await using operator = await startControlPlaneOperator({ wanted: ['keystone'] });
    const { client, clock } = operator.cluster;
    await createMinted(operator);
    for (const what of ['store', 'push', 'sync'] as const) await setSynced(operator, what);
    const document = ((await textIn(operator, credentialName.name)) ?? '').trimEnd().replaceAll('"', "'");
    const data = { 'clouds.yaml': Buffer.from(document).toString('base64') };
    await client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: cloudsYamlName, data });
    await clock.settle();
    assert.equal(await operator.condition('AdminCredentialReady'), ready);
  });

  test('counts its time from the later of the last rotation and the moment it went missing', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    await clock.advance(minutes(60));
    await operator.neighbours.externalSecrets.stop();
    await client.patch(Secret, cloudsYamlName, 'merge', { data: { 'clouds.yaml': btoa('clouds: {}') } });
    await clock.advance(minutes(14));
    assert.equal(await operator.condition('AdminCredentialReady'), stale);
    await clock.advance(minutes(2));
    assert.match((await operator.condition('AdminCredentialReady')) ?? '', /^CloudsYamlSyncStuck: /);
  });

  test('is read live only while the condition is not True; a settled ControlPlane costs no request', async () => {
    const requests: string[] = [];
    const before = async ({ method, path }: { method: string; path: string }) =>
      void requests.push(`${method} ${path}`);
    await using operator = await readyControlPlane({ before });
    const { clock } = operator.cluster;
    const reads = () =>
      requests.filter((each) => each.startsWith('GET') && each.endsWith('/secrets/k-orc-clouds-yaml'));
    assert.equal(reads().length, 1);
    await clock.advance(seconds(5));
    requests.length = 0;
    await clock.advance(minutes(35));
    assert.deepEqual(requests, []);
  });

  test('holds a revoked credential for seconds only, and Service and Endpoint are not touched meanwhile', async () => {
    await using operator = await readyControlPlane();
    const { client, clock } = operator.cluster;
    const entries = async () => {
      const service = await client.get(Service, at('controlplane-identity-service'));
      const endpoint = await client.get(Endpoint, at('controlplane-identity-endpoint'));
      return [service.metadata.generation, endpoint.metadata.generation];
    };
    const generations = await entries();
    await operator.neighbours.externalSecrets.stop();
    await nudge(operator);
    const services = { keystone: { publicEndpoint: 'https://keystone.example.com/v3' } };
    await client.patch(ControlPlane, home, 'merge', { spec: { services } });
    await clock.advance(seconds(30));
    assert.equal(await operator.condition('AdminCredentialReady'), stale);
    assert.match((await operator.condition('CatalogReady')) ?? '', /^WaitingForAdminCredential: /);
    assert.deepEqual(await entries(), generations);
    await operator.neighbours.externalSecrets.start();
    const began = clock.now();
    await operator.untilCondition('Ready', allReady);
    assert.ok(clock.now() - began <= seconds(30), `${clock.now() - began} ms`);
    assert.notDeepEqual(await entries(), generations);
  });
});
