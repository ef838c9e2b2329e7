// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Namespace, Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore, PushSecret } from '@forge/kube/third-party/external-secrets.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { pushSecret, secret, store } from '../test/secret-objects.ts';
import { standInCluster, type StandInCluster } from '../test/stand-in-cluster.ts';
import { externalSecrets } from './external-secrets.ts';
import { fakeVault, type FakeVault } from './fake-vault.ts';

const backup = { namespace: 'default', name: 'backup' };
const keys = { namespace: 'default', name: 'keys' };
const finalizer = 'pushsecret.externalsecrets.io/finalizer';

describe('a PushSecret', () => {
  let vault: FakeVault;
  let cluster: StandInCluster;

  beforeEach(async () => {
    vault = fakeVault();
    cluster = await standInCluster((clock) => externalSecrets(vault.reachedBy(clock)));
    await cluster.client.create(ClusterSecretStore, store);
    await cluster.client.create(Secret, secret('keys', { 0: 'zero', 1: 'one' }));
    await cluster.clock.settle();
  });

  afterEach(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  const found = () => cluster.client.find(PushSecret, backup);
  const ready = () => cluster.ready(PushSecret, backup);
  const create = async (spec: Partial<PushSecret['spec']> = {}, wait = seconds(1)) => {
    await cluster.client.create(PushSecret, pushSecret(spec));
    await cluster.clock.advance(wait);
  };
  const stamp = async (value: string) => {
    const metadata = { annotations: { 'c5c3.io/push-content-hash': value } };
    await cluster.client.patch(PushSecret, backup, 'merge', { metadata });
    await cluster.clock.settle();
  };
  const remove = async () => {
    await cluster.client.delete(PushSecret, backup);
    await cluster.clock.settle();
  };

  test('with policy Delete gets its finalizer in a first reconcile, and is pushed a second later', async () => {
    await create({}, seconds(0));
    assert.deepEqual((await found())?.metadata.finalizers, [finalizer]);
    assert.equal(vault.read('kv-v2/keys'), undefined);
    await cluster.clock.advance(seconds(1));
    assert.deepEqual(vault.read('kv-v2/keys'), { 0: 'zero', 1: 'one' });
    const { status } = (await found())!;
    assert.equal(await ready(), 'True Synced: PushSecret synced successfully');
    assert.match(status?.syncedResourceVersion ?? '', /^1-/);
    assert.deepEqual(Object.keys(status?.syncedPushSecrets?.['ClusterSecretStore/openbao-cluster-store'] ?? {}), [
      'keys',
    ]);
  });

  test('with policy None is pushed at once, never gets a finalizer, and keeps its copy when it is deleted', async () => {
    await create({ deletionPolicy: 'None' }, seconds(0));
    assert.deepEqual((await found())?.metadata.finalizers, undefined);
    assert.ok(vault.read('kv-v2/keys'));
    await remove();
    assert.equal(await found(), undefined);
    assert.ok(vault.read('kv-v2/keys'));
  });

  test('gets its finalizer even if store or source are missing, and is retried with backoff', async () => {
    await cluster.client.delete(Secret, keys);
    await create();
    assert.deepEqual((await found())?.metadata.finalizers, [finalizer]);
    assert.equal(await ready(), 'False Errored: could not get source secret');
    await cluster.client.create(Secret, secret('keys', { 0: 'zero' }));
    await cluster.clock.advance(seconds(4));
    assert.match((await ready()) ?? '', /^True/);
  });

  test('does not push new content of its source until an annotation changes or its interval is over', async () => {
    await create();
    await cluster.client.patch(Secret, keys, 'merge', { data: { 2: btoa('two') } });
    await cluster.clock.advance(minutes(30));
    assert.deepEqual(Object.keys(vault.read('kv-v2/keys') ?? {}), ['0', '1']);
    await stamp('a');
    assert.deepEqual(Object.keys(vault.read('kv-v2/keys') ?? {}), ['0', '1', '2']);
    await cluster.client.patch(Secret, keys, 'merge', { data: { 3: btoa('three') } });
    await cluster.clock.advance(minutes(61));
    assert.deepEqual(Object.keys(vault.read('kv-v2/keys') ?? {}), ['0', '1', '2', '3']);
  });

  test('deletes its copies and their metadata when it is deleted', async () => {
    await create();
    await remove();
    assert.equal(await found(), undefined);
    const deleted = vault.requests.filter((request) => request.startsWith('DELETE'));
    assert.deepEqual(deleted, ['DELETE kv-v2/data/keys', 'DELETE kv-v2/metadata/keys']);
    assert.deepEqual(vault.paths(), []);
  });

  test('is terminating while the backend is down, and is deleted when it is back', async () => {
    await create();
    vault.health = 'down';
    await remove();
    await cluster.clock.advance(minutes(10));
    assert.match(
      (await ready()) ?? '',
      /^False Errored: Failed to Delete Secrets from Provider: .*connection refused$/,
    );
    vault.health = 'up';
    await cluster.clock.advance(minutes(7));
    assert.equal(await found(), undefined);
    assert.deepEqual(vault.paths(), []);
  });

  test('sends no requests to the backend when it is deleted before anything was pushed', async () => {
    await cluster.client.delete(Secret, keys);
    await create();
    vault.health = 'down';
    await remove();
    assert.equal(await found(), undefined);
    assert.deepEqual(
      vault.requests.filter((request) => request.includes('kv-v2')),
      [],
    );
  });

  test('is stuck terminating after a failed push, because its status names the store', async () => {
    vault.health = 'down';
    await create({}, seconds(10));
    assert.deepEqual((await found())?.status?.syncedPushSecrets, { 'ClusterSecretStore/openbao-cluster-store': {} });
    await remove();
    await cluster.clock.advance(minutes(5));
    assert.match((await ready()) ?? '', /could not get secrets client for store openbao-cluster-store/);
    vault.health = 'up';
    await cluster.clock.advance(minutes(7));
    assert.equal(await found(), undefined);
  });

  test('that may not delete metadata is deleted one second later, and leaves the metadata', async () => {
    await create();
    vault.forbids = (request) => request.startsWith('DELETE kv-v2/metadata');
    await remove();
    assert.match((await ready()) ?? '', /permission denied/);
    await cluster.clock.advance(seconds(1));
    assert.equal(await found(), undefined);
    assert.deepEqual(vault.paths(), []);
  });

  test('always fails for unmanaged content, and keeps that content when it is deleted', async () => {
    vault.write('kv-v2/keys', { value: 'unmanaged' });
    await create();
    assert.match((await ready()) ?? '', /secret not managed by external-secrets$/);
    await remove();
    assert.equal(await found(), undefined);
    assert.deepEqual(vault.read('kv-v2/keys'), { value: 'unmanaged' });
    vault.write('kv-v2/keys', { value: 'seeded' }, { marked: true });
    await create();
    assert.deepEqual(vault.read('kv-v2/keys'), { 0: 'zero', 1: 'one' });
    vault.write('kv-v2/keys', { value: 'written over it' });
    await remove();
    assert.deepEqual(vault.read('kv-v2/keys'), { value: 'written over it' });
  });

  test('deletes its copies when its source is deleted, and pushes no more until it changes or External Secrets restarts', async () => {
    await create();
    await cluster.client.delete(Secret, keys);
    await cluster.clock.advance(minutes(30));
    assert.ok(vault.read('kv-v2/keys'), 'the source is not watched');
    await stamp('a');
    assert.equal(await ready(), 'False SourceDeleted: source secret deleted; provider secrets cleaned up');
    assert.equal(vault.read('kv-v2/keys'), undefined);
    assert.equal((await found())?.status?.syncedPushSecrets, undefined);
    await cluster.client.create(Secret, secret('keys', { 0: 'zero', 1: 'one' }));
    await cluster.clock.advance(minutes(180));
    assert.equal(vault.read('kv-v2/keys'), undefined);
    await stamp('b');
    assert.ok(vault.read('kv-v2/keys'));
  });

  test('that changes to None and IfNotExists removes its finalizer, and neither deletes nor overwrites its copy', async () => {
    await create();
    const policies = { deletionPolicy: 'None', updatePolicy: 'IfNotExists' };
    await cluster.client.patch(PushSecret, backup, 'merge', { spec: policies });
    await cluster.client.patch(Secret, keys, 'merge', { data: { 0: null } });
    await cluster.clock.advance(minutes(70));
    assert.equal((await found())?.metadata.finalizers, undefined);
    assert.deepEqual(vault.read('kv-v2/keys'), { 0: 'zero', 1: 'one' });
    await cluster.client.delete(Secret, keys);
    await cluster.clock.advance(minutes(70));
    assert.equal(await ready(), 'False Errored: could not get source secret');
    assert.deepEqual(vault.read('kv-v2/keys'), { 0: 'zero', 1: 'one' });
  });

  test('deletes the copy of an entry that its spec no longer names', async () => {
    await create();
    await cluster.client.patch(PushSecret, backup, 'merge', {
      spec: { data: [{ match: { secretKey: '0', remoteRef: { remoteKey: 'one', property: 'p' } } }] },
    });
    await cluster.clock.settle();
    assert.deepEqual(vault.paths(), ['kv-v2/one']);
    assert.deepEqual(vault.read('kv-v2/one'), { p: 'zero' });
  });

  test('writes the content for each combination of secretKey and property, and keeps sibling properties', async () => {
    await cluster.client.create(Secret, secret('whole', { json: '{"a":"b"}' }));
    vault.write('kv-v2/keys', { sibling: 's' }, { marked: true });
    await create({ data: [{ match: { remoteRef: { remoteKey: 'keys', property: 'p' } } }] });
    assert.deepEqual(vault.read('kv-v2/keys'), { sibling: 's', p: '{"0":"zero","1":"one"}' });
    await remove();
    assert.deepEqual(vault.read('kv-v2/keys'), { sibling: 's' });
    await create({
      selector: { secret: { name: 'whole' } },
      data: [{ match: { secretKey: 'json', remoteRef: { remoteKey: 'keys' } } }],
    });
    assert.deepEqual(vault.read('kv-v2/keys'), { a: 'b' });
  });

  test('blocks other PushSecrets while the backend hangs, 60 seconds for each attempt', async () => {
    await create();
    vault.health = 'hung';
    await stamp('a');
    const other = { ...pushSecret(), metadata: { namespace: 'default', name: 'other' } };
    await cluster.client.create(PushSecret, other);
    await cluster.clock.advance(seconds(55));
    assert.deepEqual((await cluster.client.get(PushSecret, other.metadata)).metadata.finalizers, undefined);
    await cluster.clock.advance(seconds(10));
    assert.deepEqual((await cluster.client.get(PushSecret, other.metadata)).metadata.finalizers, [finalizer]);
  });

  test('is not pushed to a store that does not allow its namespace', async () => {
    await cluster.client.patch(ClusterSecretStore, store.metadata, 'merge', {
      spec: { conditions: [{ namespaces: ['openstack'] }] },
    });
    await create();
    assert.match((await ready()) ?? '', /not allowed from namespace "default": denied by spec.condition/);
  });

  test('is refused without stores or with two selectors, and gets the defaults of the schema', async () => {
    const refused = (spec: object, message: RegExp) =>
      assert.rejects(cluster.client.create(PushSecret, { ...pushSecret(), spec } as PushSecret), message);
    await refused({ selector: { secret: { name: 'a' } } }, /spec.secretStoreRefs: Required/);
    await refused({ secretStoreRefs: [{ name: 'a' }] }, /spec.selector: Required/);
    await refused({ secretStoreRefs: [], selector: { secret: {}, generatorRef: {} } }, /spec.selector/);
    const { secretStoreRefs, selector } = pushSecret().spec;
    const created = await cluster.client.create(PushSecret, { ...pushSecret(), spec: { secretStoreRefs, selector } });
    assert.deepEqual(
      [created.spec.deletionPolicy, created.spec.updatePolicy, created.spec.refreshInterval],
      ['None', 'Replace', '1h0m0s'],
    );
  });

  test('is pushed to a store that allows its namespace by name, pattern or all of its labels', async () => {
    const labels = { team: 'a', stage: 'test' };
    await cluster.client.patch(Namespace, { name: 'default' }, 'merge', { metadata: { labels } });
    const cases: [condition: object, admitted: boolean][] = [
      [{ namespaces: ['default'] }, true],
      [{ namespaceRegexes: ['^def'] }, true],
      [{ namespaceRegexes: ['^openstack'] }, false],
      [{ namespaceSelector: { matchLabels: labels } }, true],
      [{ namespaceSelector: { matchLabels: { ...labels, stage: 'production' } } }, false],
    ];
    for (const [condition, admitted] of cases) {
      await cluster.client.patch(ClusterSecretStore, store.metadata, 'merge', { spec: { conditions: [condition] } });
      await create({ deletionPolicy: 'None' });
      assert.equal((await ready())?.startsWith('True'), admitted, JSON.stringify(condition));
      await remove();
    }
  });
});
