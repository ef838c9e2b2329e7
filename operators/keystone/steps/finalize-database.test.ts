// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Namespace, Pod } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject } from '@forge/kube/objects/object.ts';
import { Database, Grant, User } from '@forge/kube/third-party/mariadb.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { Keystone } from '../api/keystone.ts';
import { keystoneFixture } from '../test/keystone-fixture.ts';
import { createDatabaseObjects, managedFixture } from '../test/managed-keystone.ts';
import { createInstalled, setTag } from '../test/releases.ts';
import {
  allReady,
  createKeystone,
  home,
  startKeystoneOperator,
  namesIn,
  type KeystoneOperator,
} from '../test/start-keystone-operator.ts';

const ownDatabase = (name: string, spec: Partial<Database['spec']> = {}): Database => ({
  apiVersion: 'k8s.mariadb.com/v1alpha1',
  kind: 'Database',
  metadata: { ...home, name },
  spec: { mariaDbRef: { name: 'mariadb' }, name: 'keystone', ...spec },
});

/** Pods of its Jobs of this suffix. */
async function podsOf({ cluster: { client } }: KeystoneOperator, suffix: string): Promise<Pod[]> {
  const { items } = await client.list(Pod, { namespace: home.namespace });
  return items.filter(({ metadata }) => metadata.name.startsWith(`identity-${suffix}-`));
}

describe('the database of a Keystone that is deleted', () => {
  let operator: KeystoneOperator;

  beforeEach(async () => {
    operator = await startKeystoneOperator(undefined, { kinds: [Database, User, Grant] });
  });
  afterEach(() => operator[Symbol.asyncDispose]());

  async function deleteKeystone(): Promise<void> {
    const { client, clock } = operator.cluster;
    await clock.settle();
    await client.delete(Keystone, home);
    await clock.settle();
    assert.equal(await client.find(Keystone, home), undefined);
  }

  /** Creates an object that somebody holds, and deletes it. */
  async function createTerminating<T extends KubeObject>(kind: Kind<T>, object: T): Promise<void> {
    const { client } = operator.cluster;
    const metadata = { ...object.metadata, finalizers: ['example.com/hold'] };
    await client.delete(kind, refOf(await client.create(kind, { ...object, metadata })));
  }

  test("is not deleted when it is the user's own, although it has the Keystone's name", async () => {
    const { client } = operator.cluster;
    await client.create(Database, ownDatabase('identity'));
    await client.create(Keystone, managedFixture());
    await deleteKeystone();
    assert.equal((await client.get(Database, home)).metadata.deletionTimestamp, undefined);
    assert.deepEqual(
      (await operator.events()).filter((reason) => reason.endsWith('Database') || reason === 'DatabaseFinalized'),
      ['DatabaseFinalized'],
    );
  });

  test('keeps its data when another Keystone uses it', async () => {
    const { client } = operator.cluster;
    await createDatabaseObjects(operator, await client.create(Keystone, managedFixture()));
    await client.create(Keystone, managedFixture('other'));
    await deleteKeystone();
    const { metadata, spec } = await client.get(Database, home);
    assert.ok(metadata.deletionTimestamp !== undefined);
    assert.equal(spec.cleanupPolicy, 'Skip');
    assert.deepEqual(await namesIn(operator, Grant), []);
  });

  for (const [namespace, host] of [
    ['openstack', 'mariadb'],
    ['elsewhere', 'mariadb.openstack.svc.cluster.local'],
  ] as const) {
    test(`keeps its data when a Keystone in ${namespace} uses it as ${host}`, async () => {
      const { client } = operator.cluster;
      await createDatabaseObjects(operator, await client.create(Keystone, managedFixture()));
      const { database } = keystoneFixture().spec;
      const other = keystoneFixture({ database: { ...database, host } });
      if (namespace !== home.namespace)
        await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      await client.create(Keystone, { ...other, metadata: { namespace, name: 'other' } });
      await deleteKeystone();
      assert.equal((await client.get(Database, home)).spec.cleanupPolicy, 'Skip');
    });
  }

  test('keeps its data when another Database names it', async () => {
    const { client } = operator.cluster;
    await createDatabaseObjects(operator, await client.create(Keystone, managedFixture()));
    await client.create(Database, ownDatabase('mine'));
    await deleteKeystone();
    assert.equal((await client.get(Database, home)).spec.cleanupPolicy, 'Skip');
    assert.equal((await client.get(Database, { ...home, name: 'mine' })).spec.cleanupPolicy, undefined);
  });

  test('keeps its data when a Database that goes without its data names it', async () => {
    const { client } = operator.cluster;
    await createDatabaseObjects(operator, await client.create(Keystone, managedFixture()));
    await createTerminating(Database, ownDatabase('mine', { cleanupPolicy: 'Skip' }));
    await deleteKeystone();
    assert.equal((await client.get(Database, home)).spec.cleanupPolicy, 'Skip');
  });

  test('is dropped although mariadb-operator may be creating it, or its account, right now', async () => {
    const { client } = operator.cluster;
    await createDatabaseObjects(operator, await client.create(Keystone, managedFixture()));
    const kinds = [Database, User, Grant] satisfies Kind[] as Kind[];
    for (const kind of kinds) {
      await client.patch(kind, home, 'merge', { metadata: { finalizers: null } });
      await client.patch(kind, home, 'merge', { status: { conditions: null } }, { subresource: 'status' });
    }
    await deleteKeystone();
    for (const kind of kinds)
      assert.deepEqual((await client.get(kind, home)).metadata.finalizers, [
        `${kind.singular}.k8s.mariadb.com/finalizer`,
      ]);
  });

  test('is dropped when all others that use it are being deleted, too', async () => {
    const { client } = operator.cluster;
    await createDatabaseObjects(operator, await client.create(Keystone, managedFixture()));
    await createTerminating(Keystone, managedFixture('other'));
    await createTerminating(Database, ownDatabase('mine'));
    await deleteKeystone();
    assert.equal((await client.get(Database, home)).spec.cleanupPolicy, undefined);
  });

  test('is dropped when the others use other databases or servers', async () => {
    const { client } = operator.cluster;
    await createDatabaseObjects(operator, await client.create(Keystone, managedFixture()));
    await client.create(Database, ownDatabase('glance', { name: 'glance' }));
    await client.create(Database, ownDatabase('elsewhere', { mariaDbRef: { name: 'mariadb', namespace: 'other' } }));
    await deleteKeystone();
    assert.equal((await client.get(Database, home)).spec.cleanupPolicy, undefined);
  });
});

describe('a successor on the same database', () => {
  const migration = { exit: { code: 0, after: seconds(20) }, terminationDelay: seconds(15) };

  test('migrates the schema only after the pods of its predecessor are gone', async () => {
    await using operator = await startKeystoneOperator((component) => (component === 'db-sync' ? migration : {}));
    await createKeystone(operator);
    const { client, clock } = operator.cluster;
    await clock.until(async () => (await podsOf(operator, 'db-sync')).length === 1);
    await client.delete(Keystone, home);
    await clock.settle();
    assert.equal(await client.find(Keystone, home), undefined);
    await client.create(Keystone, keystoneFixture());
    await clock.advance(seconds(14));
    assert.equal((await podsOf(operator, 'db-sync')).length, 1);
    await operator.untilCondition('Ready', allReady);
  });

  test('migrates the schema only after an upgrade of its predecessor has stopped', async () => {
    const synced = new Set<string | undefined>();
    await using operator = await startKeystoneOperator((component, { metadata }) => {
      if (component === 'db-sync') synced.add(metadata.uid);
      return component === 'db-expand' ? migration : {};
    });
    await createInstalled(operator);
    const { client, clock } = operator.cluster;
    await setTag(operator, '2026.1');
    await clock.until(async () => (await podsOf(operator, 'db-expand')).length === 1);
    await client.delete(Keystone, home);
    await clock.settle();
    assert.equal(await client.find(Keystone, home), undefined);
    await client.create(Keystone, keystoneFixture());
    await clock.advance(seconds(14));
    assert.deepEqual([(await podsOf(operator, 'db-expand')).length, synced.size], [1, 1]);
    await operator.untilCondition('Ready', allReady);
    assert.equal(synced.size, 2);
  });
});

test('what the garbage collector orphans while the deletion of the database is announced stays as it is', async () => {
  let isOrphaned = false;
  await using operator = await startKeystoneOperator(undefined, {
    kinds: [Database, User, Grant],
    async before({ method, path }) {
      if (isOrphaned || method !== 'POST' || !path.endsWith('/events')) return;
      if ((await client.find(Keystone, home))?.metadata.deletionTimestamp === undefined) return;
      isOrphaned = true;
      const change = { metadata: { ownerReferences: null } };
      for (const kind of [Database, User, Grant]) await client.patch<KubeObject>(kind, home, 'merge', change);
      await clock.settle();
    },
  });
  const { client, clock } = operator.cluster;
  await createDatabaseObjects(operator, await client.create(Keystone, managedFixture()));
  await clock.settle();
  await client.delete(Keystone, home);
  await clock.advance(seconds(30));
  assert.equal(isOrphaned, true);
  for (const kind of [Database, User, Grant]) {
    const { metadata } = await client.get<KubeObject>(kind, home);
    assert.equal(metadata.deletionTimestamp, undefined);
  }
});
