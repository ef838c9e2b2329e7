// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConfigMap, Event, Secret } from '@forge/kube/kinds/builtin.ts';
import { ClusterSecretStore, ExternalSecret } from '@forge/kube/third-party/external-secrets.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { externalSecret, secret, store } from '../test/secret-objects.ts';
import { standInCluster, type StandInCluster } from '../test/stand-in-cluster.ts';
import { externalSecrets } from './external-secrets.ts';
import { fakeVault, type FakeVault } from './fake-vault.ts';

const db = { namespace: 'default', name: 'db' };

describe('an ExternalSecret', () => {
  let vault: FakeVault;
  let cluster: StandInCluster;

  beforeEach(async () => {
    vault = fakeVault();
    vault.write('kv-v2/db', { username: 'keystone', password: 'one', port: 3306 });
    cluster = await standInCluster((clock) => externalSecrets(vault.reachedBy(clock)));
    await cluster.client.create(ClusterSecretStore, store);
    await cluster.clock.settle();
  });

  afterEach(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  const target = async (name = 'db') => await cluster.client.find(Secret, { ...db, name });
  const value = async (key: string) => atob((await target())?.data?.[key] ?? '');
  const create = async (spec: Partial<ExternalSecret['spec']> = {}) => {
    await cluster.client.create(ExternalSecret, externalSecret(spec));
    await cluster.clock.settle();
  };
  const annotate = (stamp: string) =>
    cluster.client.patch(ExternalSecret, db, 'merge', {
      metadata: { annotations: { 'external-secrets.io/force-sync': stamp } },
    });
  const refused = (spec: Partial<ExternalSecret['spec']>, message: RegExp) =>
    assert.rejects(cluster.client.create(ExternalSecret, externalSecret(spec)), message);
  const ready = () => cluster.ready(ExternalSecret, db);
  /** The causes of failures so far. */
  const failures = async () => {
    const { items } = await cluster.client.list(Event, { namespace: 'default' });
    return items.filter(({ reason }) => reason === 'UpdateFailed').map(({ message }) => message ?? '');
  };

  test('immediately gets its finalizer and its Secret, with owner, labels and the hash of its data', async () => {
    await create();
    const external = await cluster.client.get(ExternalSecret, db);
    assert.deepEqual(external.metadata.finalizers, ['externalsecrets.external-secrets.io/externalsecret-cleanup']);
    assert.equal(await ready(), 'True SecretSynced: secret synced');
    assert.equal(external.status?.binding?.name, 'db');
    assert.match(external.status.syncedResourceVersion ?? '', /^1-/);
    assert.deepEqual(Object.keys(external.status.conditions?.[0] ?? {}).toSorted(), [
      'lastTransitionTime',
      'message',
      'reason',
      'status',
      'type',
    ]);
    const { metadata, data } = (await target())!;
    assert.deepEqual([atob(data?.['username'] ?? ''), atob(data?.['password'] ?? '')], ['keystone', 'one']);
    assert.equal(metadata.ownerReferences?.[0]?.uid, external.metadata.uid);
    assert.equal(metadata.labels?.['reconcile.external-secrets.io/managed'], 'true');
    assert.ok(metadata.annotations?.['reconcile.external-secrets.io/data-hash']);
  });

  test('is refreshed when its interval is over or an annotation changes, not before', async () => {
    await create();
    vault.write('kv-v2/db', { username: 'keystone', password: 'two' });
    await cluster.clock.advance(minutes(59));
    assert.equal(await value('password'), 'one');
    await cluster.clock.advance(minutes(1));
    assert.equal(await value('password'), 'two');
    vault.write('kv-v2/db', { username: 'keystone', password: 'three' });
    await annotate('1');
    await cluster.clock.settle();
    assert.equal(await value('password'), 'three');
  });

  test('with interval 0 is synced once, even if annotations change', async () => {
    await create({ refreshInterval: '0s' });
    vault.write('kv-v2/db', { username: 'keystone', password: 'two' });
    await annotate('1');
    await cluster.clock.advance(minutes(120));
    assert.equal(await value('password'), 'one');
  });

  test('immediately repairs a Secret that is edited or deleted, but ignores one that lost its label', async () => {
    await create();
    await cluster.client.patch(Secret, db, 'merge', { data: { password: btoa('edited') } });
    await cluster.clock.settle();
    assert.equal(await value('password'), 'one');
    await cluster.client.delete(Secret, db);
    await cluster.clock.settle();
    assert.equal(await value('password'), 'one');
    const labels = { 'reconcile.external-secrets.io/managed': null };
    await cluster.client.patch(Secret, db, 'merge', { metadata: { labels } });
    await cluster.client.patch(Secret, db, 'merge', { data: { password: btoa('edited') } });
    await cluster.clock.advance(minutes(50));
    assert.equal(await value('password'), 'edited');
    await cluster.clock.advance(minutes(15));
    assert.equal(await value('password'), 'one');
  });

  test('keeps the Secret when the provider fails, reports it without the cause, and recovers by its own backoff', async () => {
    await create();
    vault.health = 'down';
    await annotate('1');
    await cluster.clock.advance(seconds(4));
    assert.equal(await ready(), 'False SecretSyncedError: could not get secret data from provider');
    assert.equal(await value('password'), 'one');
    assert.match((await failures()).join('\n'), /connection refused/);
    vault.health = 'up';
    await cluster.clock.advance(seconds(15));
    assert.equal(await ready(), 'True SecretSynced: secret synced');
  });

  test('waits for a store that is missing or not ready, and is not reconciled when the store recovers', async () => {
    await cluster.client.delete(ClusterSecretStore, store.metadata);
    await create();
    assert.equal(await ready(), 'False SecretSyncedError: could not get secret data from provider');
    const name = store.metadata.name;
    const missing = `could not get ClusterSecretStore "${name}", ClusterSecretStore.external-secrets.io "${name}" not found`;
    assert.deepEqual(await failures(), [`error processing spec.data[0] (key: db), err: ${missing}`]);
    await cluster.clock.advance(minutes(3));
    await cluster.client.create(ClusterSecretStore, store);
    await cluster.clock.advance(seconds(1));
    assert.equal(await cluster.ready(ClusterSecretStore, store.metadata), 'True Valid: store validated');
    assert.match((await ready()) ?? '', /^False/);
    await cluster.clock.advance(minutes(7));
    assert.match((await ready()) ?? '', /^True/);
  });

  test('logs no error while it waits for a store that is not ready', async () => {
    vault.latency = seconds(2);
    await cluster.client.delete(ClusterSecretStore, store.metadata);
    await cluster.client.create(ClusterSecretStore, store);
    await create();
    await cluster.clock.advance(seconds(1));
    const notReady =
      'error processing spec.data[0] (key: db), err: ClusterSecretStore "openbao-cluster-store" is not ready';
    assert.deepEqual(await failures(), [notReady]);
    await cluster.clock.advance(minutes(1));
    assert.equal(await ready(), 'True SecretSynced: secret synced');
    assert.deepEqual(cluster.errors, []);
  });

  test('fails for a missing path or property', async () => {
    await create({ data: [{ secretKey: 'a', remoteRef: { key: 'db', property: 'none' } }] });
    assert.match((await ready()) ?? '', /^False SecretSyncedError/);
    assert.equal(await target(), undefined);
    const noProperty = 'error processing spec.data[0] (key: db), err: cannot find secret data for key: "none"';
    assert.deepEqual(await failures(), [noProperty]);
    await cluster.client.delete(ExternalSecret, db);
    await create({ data: [{ secretKey: 'a', remoteRef: { key: 'nowhere', property: 'none' } }] });
    assert.match((await ready()) ?? '', /^False SecretSyncedError/);
    const noPath = 'error processing spec.data[0] (key: nowhere), err: Secret does not exist';
    assert.deepEqual((await failures()).toSorted(), [noProperty, noPath]);
  });

  test('is Ready without a Secret when the provider has nothing and deletionPolicy is Delete', async () => {
    await create({ target: { deletionPolicy: 'Delete' } });
    assert.equal(await value('password'), 'one');
    vault.write('kv-v2/other', {});
    const data = [{ secretKey: 'a', remoteRef: { key: 'nowhere', property: 'p' } }];
    await cluster.client.patch(ExternalSecret, db, 'merge', { spec: { data } });
    await cluster.clock.settle();
    assert.equal(await ready(), 'True SecretDeleted: secret deleted due to DeletionPolicy=Delete');
    assert.equal(await target(), undefined);
  });

  test('adopts a Secret without owner and drops its data', async () => {
    await cluster.client.create(Secret, secret('db', { other: 'x' }));
    await create();
    assert.deepEqual(Object.keys((await target())?.data ?? {}).toSorted(), ['password', 'username']);
  });

  test('only labels a Secret of another owner, and does not retry by itself', async () => {
    const owner: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...db, name: 'owner' } };
    const { metadata, ...rest } = secret('db', { other: 'x' });
    const ownerReferences = [controllerReference(await cluster.client.create(ConfigMap, owner))];
    await cluster.client.create(Secret, { ...rest, metadata: { ...metadata, ownerReferences } });
    await create();
    assert.equal(await ready(), 'False SecretSyncedError: failed to take ownership of target secret');
    assert.equal((await cluster.client.get(ExternalSecret, db)).status?.binding?.name, 'db');
    assert.equal((await target())?.metadata.labels?.['reconcile.external-secrets.io/managed'], 'true');
    const asked = vault.requests.length;
    await cluster.clock.advance(minutes(120));
    assert.equal(vault.requests.filter((each) => each.startsWith('GET kv-v2')).length, 2);
    assert.ok(vault.requests.length > asked, 'the store continues to validate');
    assert.equal(await value('other'), 'x');
  });

  test('does not adopt the Secret of another ExternalSecret', async () => {
    await create();
    const { metadata, ...rest } = externalSecret({ target: { name: 'db' } });
    await cluster.client.create(ExternalSecret, { ...rest, metadata: { ...metadata, name: 'second' } });
    await cluster.clock.advance(seconds(1));
    assert.equal(
      await cluster.ready(ExternalSecret, { ...db, name: 'second' }),
      'False SecretSyncedError: target is owned by another ExternalSecret',
    );
    const { uid } = (await cluster.client.get(ExternalSecret, db)).metadata;
    assert.equal((await target())?.metadata.ownerReferences?.[0]?.uid, uid);
  });

  test('adopts the Secret of an earlier ExternalSecret of its name, even while finalizers hold the Secret terminating', async () => {
    await create();
    await cluster.client.patch(Secret, db, 'merge', { metadata: { finalizers: ['example.com/guard'] } });
    await cluster.client.delete(ExternalSecret, db);
    await cluster.clock.advance(seconds(1));
    assert.notEqual((await target())?.metadata.deletionTimestamp, undefined);
    vault.write('kv-v2/db', { username: 'keystone', password: 'two' });
    await create();
    assert.equal(await ready(), 'True SecretSynced: secret synced');
    assert.equal(await value('password'), 'two');
    const { uid } = (await cluster.client.get(ExternalSecret, db)).metadata;
    assert.deepEqual(
      (await target())?.metadata.ownerReferences?.map((owner) => owner.uid),
      [uid],
    );
    await cluster.client.patch(Secret, db, 'merge', { metadata: { finalizers: null } });
    await cluster.clock.advance(seconds(1));
    assert.equal((await target())?.metadata.deletionTimestamp, undefined);
    assert.equal(await value('password'), 'two');
  });

  test('with refreshPolicy CreatedOnce does not follow the provider, but repairs its Secret', async () => {
    await create({ refreshPolicy: 'CreatedOnce' });
    vault.write('kv-v2/db', { username: 'keystone', password: 'two' });
    await annotate('1');
    await cluster.clock.advance(minutes(120));
    assert.equal(await value('password'), 'one');
    await cluster.client.delete(Secret, db);
    await cluster.clock.advance(seconds(1));
    assert.equal(await value('password'), 'two');
  });

  test('may have a template, and the Secret has only its keys and labels', async () => {
    const template = {
      data: { url: 'mysql://{{ .username }}:{{ .password }}@db' },
      metadata: { labels: { 'k8s.mariadb.com/watch': '' } },
    };
    await create({ target: { template } });
    assert.equal(await value('url'), 'mysql://keystone:one@db');
    const { metadata, data } = (await target())!;
    assert.deepEqual(Object.keys(data ?? {}), ['url']);
    assert.equal(metadata.labels?.['k8s.mariadb.com/watch'], '');
  });

  test('deletes the Secret that it created under an earlier name', async () => {
    await create();
    await cluster.client.patch(ExternalSecret, db, 'merge', { spec: { target: { name: 'renamed' } } });
    await cluster.clock.settle();
    assert.equal(await target(), undefined);
    assert.ok(await target('renamed'));
  });

  test('is terminating while External Secrets is down; afterwards the garbage collector deletes the Secret', async () => {
    await create();
    await cluster.stop();
    await cluster.client.delete(ExternalSecret, db);
    await cluster.clock.advance(minutes(10));
    assert.ok(await cluster.client.find(ExternalSecret, db));
    await cluster.start();
    await cluster.clock.advance(seconds(1));
    assert.equal(await cluster.client.find(ExternalSecret, db), undefined);
    assert.equal(await target(), undefined);
  });

  test('that is deleted keeps the Secret of another owner, although deletionPolicy is Delete', async () => {
    const owner: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...db, name: 'owner' } };
    const ownerReferences = [controllerReference(await cluster.client.create(ConfigMap, owner))];
    const unowned = secret('db', { other: 'x' });
    await cluster.client.create(Secret, { ...unowned, metadata: { ...unowned.metadata, ownerReferences } });
    await create({ target: { deletionPolicy: 'Delete' } });
    await cluster.client.delete(ExternalSecret, db);
    await cluster.clock.advance(seconds(1));
    assert.equal(await cluster.client.find(ExternalSecret, db), undefined);
    assert.equal(await value('other'), 'x');
  });

  test('is refused without data, with an invalid key, or with incompatible policies', async () => {
    await refused({ data: [] }, /either data or dataFrom should be specified/);
    await refused({ data: [{ secretKey: 'a b', remoteRef: { key: 'x' } }] }, /secretKey/);
    await refused({ target: { creationPolicy: 'Merge', deletionPolicy: 'Delete' } }, /deletionPolicy=Delete/);
    await refused({ target: { creationPolicy: 'None', deletionPolicy: 'Merge' } }, /deletionPolicy=Merge/);
    await refused({ refreshPolicy: 'Sometimes' as 'Periodic' }, /refreshPolicy/);
  });

  test('with creationPolicy Merge adds to an existing Secret, and creates none', async () => {
    await create({ target: { creationPolicy: 'Merge' } });
    assert.equal(await ready(), 'True SecretMissing: secret will not be created due to CreationPolicy=Merge');
    assert.equal(await target(), undefined);
    await cluster.client.create(Secret, secret('db', { other: 'x', password: 'old' }));
    await annotate('1');
    await cluster.clock.settle();
    assert.equal(await ready(), 'True SecretSynced: secret synced');
    assert.deepEqual([await value('other'), await value('password')], ['x', 'one']);
    assert.equal((await target())?.metadata.ownerReferences, undefined);
  });

  test('with creationPolicy CreateOrMerge creates a Secret, and adds to an existing one', async () => {
    await cluster.client.create(Secret, secret('existing', { other: 'x' }));
    await create({ target: { creationPolicy: 'CreateOrMerge', name: 'existing' } });
    assert.deepEqual(Object.keys((await target('existing'))?.data ?? {}).toSorted(), ['other', 'password', 'username']);
  });

  test('with creationPolicy None reads the provider and writes no Secret', async () => {
    await create({ target: { creationPolicy: 'None' } });
    assert.equal(await ready(), 'True SecretSynced: secret synced');
    assert.equal(await target(), undefined);
  });

  test('with a template of mergePolicy Merge has the keys of both', async () => {
    const template = { data: { url: 'mysql://{{ .username }}@db' }, mergePolicy: 'Merge' as const };
    await create({ target: { template } });
    assert.deepEqual(Object.keys((await target())?.data ?? {}).toSorted(), ['password', 'url', 'username']);
  });

  test('reads nested properties, and a whole path as JSON', async () => {
    vault.write('kv-v2/nested', { account: { name: 'ks' }, 'dotted.key': 'd' });
    const data = [
      { secretKey: 'name', remoteRef: { key: 'nested', property: 'account.name' } },
      { secretKey: 'dotted', remoteRef: { key: 'nested', property: 'dotted.key' } },
      { secretKey: 'all', remoteRef: { key: 'nested' } },
    ];
    await create({ data });
    assert.deepEqual([await value('name'), await value('dotted')], ['ks', 'd']);
    assert.deepEqual(JSON.parse(await value('all')), { account: { name: 'ks' }, 'dotted.key': 'd' });
  });
});
