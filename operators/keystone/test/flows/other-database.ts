// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodBehavior } from '@forge/cluster/fake-node/pod-status.ts';
import { Secret, type Pod } from '@forge/kube/kinds/builtin.ts';
import { Database, MariaDB } from '@forge/kube/third-party/mariadb.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { Keystone } from '../../api/keystone.ts';
import { externalSecretsKinds } from '../external-secrets.ts';
import { createManaged, databaseNotReady, provision } from '../managed-keystone.ts';
import { createMariaDB, mariadbKinds, setReady } from '../mariadb.ts';
import { createInstalled, deployedTag, jobOf, podTags, releases, setTag, untilStart } from '../releases.ts';
import { allReady, home, startKeystoneOperator, type KeystoneOperator } from '../start-keystone-operator.ts';

const kinds = [...externalSecretsKinds, ...mariadbKinds];
const verified = '+DatabaseSynced: Database schema is up to date (revision verified)';

/** Databases that replace another one, and may be empty. */
export function otherDatabaseFlows(observer: CatalogObserver): void {
  for (const change of [{ host: 'db2.example' }, { port: 3307 }]) {
    test(`a database with another ${Object.keys(change)[0]} is filled and bootstrapped`, async () => {
      await using operator = await startKeystoneOperator(slowly('db-sync'), { observer });
      await createInstalled(operator);
      const before = await runsOf(operator);
      await operator.cluster.client.patch(Keystone, home, 'merge', { spec: { database: change } });
      await untilStart(operator, 'DatabaseReady', 'DBSyncInProgress');
      await operator.untilCondition('Ready', allReady);
      const after = await runsOf(operator);
      for (const [what, uid] of Object.entries(after)) assert.notEqual(uid, before[what], what);
    });
  }

  test('a database that was deleted is created, filled and bootstrapped again', async () => {
    await using operator = await managedOperator(observer, slowly('db-sync'));
    const before = await runsOf(operator);
    await operator.cluster.client.delete(Database, home);
    await operator.untilCondition('DatabaseReady', databaseNotReady);
    assert.match((await operator.condition('Ready')) ?? '', /^NotAllReady/);
    await setReady(operator.cluster.client, Database);
    await untilStart(operator, 'DatabaseReady', 'DBSyncInProgress');
    await operator.untilCondition('Ready', allReady);
    const after = await runsOf(operator);
    for (const [what, uid] of Object.entries(after)) assert.notEqual(uid, before[what], what);
    const { client } = operator.cluster;
    const { uid } = (await client.get(Database, home)).metadata;
    const { uid: server } = (await client.get(MariaDB, { ...home, name: 'mariadb' })).metadata;
    const { syncedDatabase } = (await operator.keystone()).status ?? {};
    assert.equal(syncedDatabase, `mariadb.openstack.svc:3306/keystone#${uid}@${server}`);
    await operator.cluster.clock.advance(minutes(30));
    assert.equal((await jobOf(operator, 'db-sync'))?.metadata.uid, after['db-sync']);
  });

  test('a MariaDB that was deleted and created again may be empty: its database is filled and bootstrapped again', async () => {
    await using operator = await managedOperator(observer, slowly('db-sync'));
    const { client } = operator.cluster;
    const before = await runsOf(operator);
    const { uid } = (await client.get(Database, home)).metadata;
    await recreateMariaDB(operator);
    await untilStart(operator, 'DatabaseReady', 'DBSyncInProgress');
    await operator.untilCondition('Ready', allReady);
    for (const [what, run] of Object.entries(await runsOf(operator))) assert.notEqual(run, before[what], what);
    assert.equal((await client.get(Database, home)).metadata.uid, uid);
  });

  test('a database that is ahead stays so with another MariaDB, which may have its volumes', async () => {
    await using operator = await aheadOperator(observer);
    const { uid } = (await jobOf(operator, 'db-sync'))?.metadata ?? {};
    await recreateMariaDB(operator);
    await untilStart(operator, 'DatabaseReady', '+DatabaseSynced: Database schema is ahead');
    await operator.untilCondition('Ready', allReady);
    assert.equal((await jobOf(operator, 'db-sync'))?.metadata.uid, uid);
  });

  test('an upgrade goes on where an earlier version of the operator remembered no MariaDB', async () => {
    await using operator = await managedOperator(observer, (component) =>
      component === 'db-migrate' ? { exit: { code: 1, after: seconds(1) } } : {},
    );
    const { client, clock } = operator.cluster;
    await setTag(operator, '2026.1');
    await untilStart(operator, 'DatabaseReady', 'MigrateFailed');
    const { syncedDatabase = '' } = (await operator.keystone()).status ?? {};
    const status = { syncedDatabase: syncedDatabase.replace(/@.*$/, '') };
    assert.notEqual(status.syncedDatabase, syncedDatabase);
    const { uid } = (await jobOf(operator, 'db-expand'))?.metadata ?? {};
    await client.patch(Keystone, home, 'merge', { status }, { subresource: 'status' });
    await clock.until(async () => (await operator.keystone()).status?.syncedDatabase === syncedDatabase);
    assert.deepEqual(await releases(operator), ['2025.2', '2026.1', 'Migrating', '2026.1']);
    assert.equal((await jobOf(operator, 'db-expand'))?.metadata.uid, uid);
  });

  test('a new database is not ahead, although the one before it was', async () => {
    await using operator = await aheadOperator(observer);
    const { uid } = (await jobOf(operator, 'db-sync'))?.metadata ?? {};
    await recreateDatabase(operator);
    await operator.untilCondition('DatabaseReady', verified);
    assert.deepEqual(await releases(operator), ['2025.2', undefined, undefined, undefined]);
    assert.notEqual((await jobOf(operator, 'db-sync'))?.metadata.uid, uid);
    await operator.untilCondition('Ready', allReady);
  });

  test('an upgrade begins again on a new database, once no phase works on it', async () => {
    let hangs = true;
    await using operator = await managedOperator(observer, (component) =>
      component === 'db-migrate' && hangs ? { exit: 'never' } : slowly('db-expand')(component),
    );
    await setTag(operator, '2026.1');
    await untilStart(operator, 'DatabaseReady', 'MigrateInProgress: Migrate phase running');
    const expand = (await jobOf(operator, 'db-expand'))?.metadata.uid;
    await recreateDatabase(operator);
    await untilStart(operator, 'DatabaseReady', 'MigrateInProgress: Migrate phase running');
    await operator.cluster.clock.advance(minutes(2));
    assert.deepEqual(
      [await releases(operator), (await jobOf(operator, 'db-expand'))?.metadata.uid],
      [['2025.2', '2026.1', 'Migrating', '2026.1'], expand],
    );
    assert.equal(await deployedTag(operator), '2025.2');
    hangs = false;
    await operator.cluster.clock.until(async () => (await releases(operator))[2] === 'Expanding');
    assert.equal(await deployedTag(operator), '2025.2');
    await operator.untilCondition('DatabaseReady', verified);
    assert.notEqual((await jobOf(operator, 'db-expand'))?.metadata.uid, expand);
    assert.deepEqual(await releases(operator), ['2026.1', undefined, undefined, undefined]);
    await operator.untilCondition('Ready', allReady);
  });

  test('an upgrade that is aborted on a new database leaves it not ahead, although that before it was expanded', async () => {
    let behavior: PodBehavior = { exit: { code: 1, after: seconds(1) } };
    await using operator = await managedOperator(observer, (component) => (component === 'db-expand' ? behavior : {}));
    await setTag(operator, '2026.1');
    await untilStart(operator, 'DatabaseReady', 'ExpandFailed');
    behavior = { stuck: 'cannot pull' };
    await recreateDatabase(operator);
    await untilStart(operator, 'DatabaseReady', 'ExpandInProgress');
    await setTag(operator, '2025.2');
    await operator.untilCondition('DatabaseReady', verified);
    assert.deepEqual(await releases(operator), ['2025.2', undefined, undefined, undefined]);
  });

  test('a new database waits for credential keys that were emptied before there was one', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer, kinds });
    const { client, clock } = operator.cluster;
    await createMariaDB(client);
    await createManaged(operator);
    await operator.untilCondition('DatabaseReady', databaseNotReady);
    const keys = { ...home, name: `${home.name}-credential-keys` };
    await clock.until(async () => (await client.find(Secret, keys)) !== undefined);
    await client.patch(Secret, keys, 'merge', { data: null });
    await provision(operator);
    await untilStart(operator, 'DatabaseReady', 'WaitingForCredentialKeys');
    await clock.advance(minutes(2));
    assert.equal(await jobOf(operator, 'db-sync'), undefined);
  });

  for (const [what, replace] of [
    ['a new database', recreateDatabase],
    ['another MariaDB', recreateMariaDB],
  ] as const) {
    test(`an upgrade that has begun to contract is completed on ${what}, and no old pod comes back`, async () => {
      await using operator = await managedOperator(observer, (component) =>
        component === 'db-contract' ? { exit: { code: 1, after: seconds(1) } } : {},
      );
      await setTag(operator, '2026.1');
      await untilStart(operator, 'DatabaseReady', 'ContractFailed');
      const { uid } = (await jobOf(operator, 'db-sync'))?.metadata ?? {};
      await replace(operator);
      await operator.cluster.clock.until(async () => (await releases(operator))[0] === '2026.1');
      assert.deepEqual([await podTags(operator), await jobOf(operator, 'db-contract')], [['2026.1'], undefined]);
      await operator.untilCondition('DatabaseReady', verified);
      await operator.untilCondition('Ready', allReady);
      assert.deepEqual(await releases(operator), ['2026.1', undefined, undefined, undefined]);
      assert.notEqual((await jobOf(operator, 'db-sync'))?.metadata.uid, uid);
    });
  }
}

/** Jobs of this component take a while, so that the condition can be observed meanwhile. */
const slowly =
  (slow: string) =>
  (component: string): PodBehavior =>
    component === slow ? { exit: { code: 0, after: seconds(5) } } : {};

/** A Keystone on a managed database, ready. */
async function managedOperator(
  observer: CatalogObserver,
  behavior?: (component: string, pod: Pod) => PodBehavior,
): Promise<KeystoneOperator> {
  const operator = await startKeystoneOperator(behavior, { observer, kinds });
  await createMariaDB(operator.cluster.client);
  await createManaged(operator);
  await provision(operator);
  await operator.untilCondition('Ready', allReady);
  return operator;
}

/** A Keystone on a managed database whose upgrade was aborted after it had been expanded. */
async function aheadOperator(observer: CatalogObserver): Promise<KeystoneOperator> {
  const operator = await managedOperator(observer, (component) =>
    component === 'db-migrate' ? { exit: { code: 1, after: seconds(1) } } : {},
  );
  await setTag(operator, '2026.1');
  await untilStart(operator, 'DatabaseReady', 'MigrateFailed');
  await setTag(operator, '2025.2');
  await untilStart(operator, 'DatabaseReady', '+DatabaseSynced: Database schema is ahead');
  return operator;
}

/** Replaces the MariaDB by another one of the name; its Database stays. */
async function recreateMariaDB(operator: KeystoneOperator): Promise<void> {
  const { client } = operator.cluster;
  await client.delete(MariaDB, { ...home, name: 'mariadb' });
  await untilStart(operator, 'DatabaseReady', 'ClusterNotReady');
  await createMariaDB(client);
}

/** Deletes the Database, and plays mariadb-operator for the next one. */
async function recreateDatabase(operator: KeystoneOperator): Promise<void> {
  await operator.cluster.client.delete(Database, home);
  await operator.untilCondition('DatabaseReady', databaseNotReady);
  await setReady(operator.cluster.client, Database);
}

/** The Jobs that fill a database. Pods go on: a session keeps the name of its database when another one drops it. */
async function runsOf(operator: KeystoneOperator): Promise<Record<string, string | undefined>> {
  const jobs = ['db-sync', 'schema-check', 'bootstrap'] as const;
  const uids = await Promise.all(jobs.map(async (suffix) => [suffix, (await jobOf(operator, suffix))?.metadata.uid]));
  return Object.fromEntries(uids) as Record<string, string | undefined>;
}
