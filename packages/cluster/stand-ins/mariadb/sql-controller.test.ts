// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Namespace, Secret, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { Database, Grant, MariaDB, User } from '@forge/kube/third-party/mariadb.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { fakeServers } from '../test/fake-servers.ts';
import { secret } from '../test/secret-objects.ts';
import { standInCluster, type StandInCluster } from '../test/stand-in-cluster.ts';
import { fakeSql, type FakeSql } from './fake-sql.ts';
import { mariadbOperator } from './mariadb.ts';

const apiVersion = 'k8s.mariadb.com/v1alpha1';
const namespace = 'default';
const server = { namespace, name: 'mariadb' };
const ks = { namespace, name: 'ks' };
const mariaDbRef = { name: 'mariadb' };

const database: Database = { apiVersion, kind: 'Database', metadata: ks, spec: { mariaDbRef, name: 'keystone' } };
const user: User = {
  apiVersion,
  kind: 'User',
  metadata: ks,
  spec: { mariaDbRef, passwordSecretKeyRef: { name: 'ks-db', key: 'password' }, maxUserConnections: 0 },
};
const grant: Grant = {
  apiVersion,
  kind: 'Grant',
  metadata: ks,
  spec: { mariaDbRef, privileges: ['ALL PRIVILEGES'], database: 'keystone', username: 'ks' },
};

describe('Database, User and Grant', () => {
  let sql: FakeSql;
  let cluster: StandInCluster;

  beforeEach(async () => {
    sql = fakeSql();
    cluster = await standInCluster((clock) => mariadbOperator(sql.reachedBy(clock)), [fakeServers()]);
    const { client, clock } = cluster;
    await client.create(Secret, secret('ks-db', { username: 'ks', password: 'one' }));
    await createServer();
    await clock.settle();
  });

  afterEach(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  const createServer = () =>
    cluster.client.create(MariaDB, {
      apiVersion,
      kind: 'MariaDB',
      metadata: server,
      spec: { storage: { size: '1Gi' } },
    });
  const held = () => sql.server(server);
  const isThere = async () => (await cluster.client.find(Database, ks)) !== undefined;
  const setReadyReplicas = (readyReplicas: number) =>
    cluster.client.patch(StatefulSet, server, 'merge', { status: { readyReplicas } }, { subresource: 'status' });
  const createDatabase = async (spec: Partial<Database['spec']> = {}) => {
    await cluster.client.create(Database, { ...database, spec: { ...database.spec, ...spec } });
    await cluster.clock.settle();
  };
  const deleteDatabase = async () => {
    await cluster.client.delete(Database, ks);
    await cluster.clock.settle();
  };

  test('become Created in SQL, and get their finalizer after that', async () => {
    await createDatabase();
    await cluster.client.create(User, user);
    await cluster.clock.settle();
    await cluster.client.create(Grant, grant);
    await cluster.clock.settle();
    for (const kind of [Database, User, Grant] as const) {
      assert.equal(await cluster.ready<Database>(kind as typeof Database, ks), 'True Created: Created');
    }
    const { metadata, status } = await cluster.client.get(Database, ks);
    assert.deepEqual(metadata.finalizers, ['database.k8s.mariadb.com/finalizer']);
    assert.equal(status?.conditions?.[0]?.observedGeneration, undefined);
    assert.deepEqual([...held().databases.keys()], ['keystone']);
    assert.deepEqual(held().users.get('ks@%'), { password: 'one', maxUserConnections: 0 });
    assert.deepEqual(held().grants.get('ks@%')?.get('keystone.*'), ['ALL PRIVILEGES']);
  });

  test('report that MariaDB is not found, and retry with backoff', async () => {
    await cluster.client.delete(MariaDB, server);
    await cluster.clock.settle();
    await createDatabase();
    assert.equal(await cluster.ready(Database, ks), 'False Failed: MariaDB not found');
    assert.equal((await cluster.client.get(Database, ks)).metadata.finalizers, undefined);
  });

  test('that failed are retried at once when their MariaDB is created or changes', async () => {
    await cluster.client.delete(MariaDB, server);
    await cluster.clock.settle();
    await createDatabase();
    await cluster.clock.advance(minutes(120));
    assert.equal(await cluster.ready(Database, ks), 'False Failed: MariaDB not found');
    await createServer();
    await cluster.clock.settle();
    assert.match((await cluster.ready(Database, ks)) ?? '', /^True/);
    sql.unreachable = 'Error 1045: Access denied';
    await cluster.client.create(User, user);
    await cluster.clock.advance(minutes(120));
    assert.match((await cluster.ready(User, ks)) ?? '', /^False Failed: Error connecting/);
    sql.unreachable = undefined;
    await cluster.client.patch(MariaDB, server, 'merge', { metadata: { annotations: { a: 'b' } } });
    await cluster.clock.settle();
    assert.match((await cluster.ready(User, ks)) ?? '', /^True/);
  });

  test('wait for an unhealthy MariaDB with unchanged status, and continue within a second of its recovery', async () => {
    await setReadyReplicas(0);
    await cluster.clock.settle();
    await createDatabase();
    await cluster.clock.advance(minutes(5));
    assert.equal((await cluster.client.get(Database, ks)).status, undefined);
    await setReadyReplicas(1);
    await cluster.clock.advance(seconds(1));
    assert.match((await cluster.ready(Database, ks)) ?? '', /^True/);
    await setReadyReplicas(0);
    await cluster.clock.advance(minutes(5));
    assert.match((await cluster.ready(Database, ks)) ?? '', /^True/, 'True is kept');
  });

  test('report errors of connection and SQL, and retry after retryInterval', async () => {
    sql.unreachable = 'dial tcp: i/o timeout';
    await createDatabase({ retryInterval: '30s' });
    assert.equal(await cluster.ready(Database, ks), 'False Failed: Error connecting to MariaDB: dial tcp: i/o timeout');
    sql.unreachable = undefined;
    sql.fails = (statement) => (statement.startsWith('CREATE') ? 'Error 1044: Access denied' : undefined);
    await cluster.clock.advance(seconds(29));
    assert.match((await cluster.ready(Database, ks)) ?? '', /connecting/);
    await cluster.clock.advance(seconds(1));
    assert.equal(await cluster.ready(Database, ks), 'False Failed: Error creating ks: Error 1044: Access denied');
    sql.fails = () => undefined;
    await cluster.clock.advance(seconds(30));
    assert.match((await cluster.ready(Database, ks)) ?? '', /^True/);
  });

  test('have no order: a Grant for a missing account fails until its User exists', async () => {
    await cluster.client.create(Grant, grant);
    await cluster.clock.settle();
    assert.match((await cluster.ready(Grant, ks)) ?? '', /^False Failed: Error creating ks: Error 1133/);
    await cluster.clock.advance(minutes(120));
    await cluster.client.create(User, user);
    await cluster.clock.settle();
    assert.match((await cluster.ready(Grant, ks)) ?? '', /^True/);
  });

  test('report the privileges of a Grant, and revoke those that it no longer has', async () => {
    await cluster.client.create(User, user);
    await cluster.client.create(Grant, { ...grant, spec: { ...grant.spec, privileges: ['SELECT', 'INSERT'] } });
    await cluster.clock.settle();
    const current = async () => (await cluster.client.get(Grant, ks)).status?.currentPrivileges;
    assert.deepEqual(await current(), ['SELECT', 'INSERT']);
    await cluster.client.patch(Grant, ks, 'merge', { spec: { privileges: ['SELECT'] } });
    await cluster.clock.settle();
    assert.deepEqual(await current(), ['SELECT']);
    assert.deepEqual(sql.statements.slice(-2), [
      'REVOKE INSERT ON keystone.* FROM ks@%',
      'GRANT SELECT ON keystone.* TO ks@%',
    ]);
  });

  test('are dropped in SQL with cleanupPolicy Delete or none, and kept with Skip', async () => {
    await createDatabase();
    await deleteDatabase();
    assert.equal(await isThere(), false);
    assert.equal(held().databases.size, 0);
    await createDatabase({ cleanupPolicy: 'Skip' });
    await deleteDatabase();
    assert.equal(await isThere(), false);
    assert.equal(held().databases.size, 1);
  });

  test('are terminating while MariaDB is unhealthy or cannot be reached', async () => {
    await createDatabase();
    await setReadyReplicas(0);
    await cluster.clock.settle();
    await deleteDatabase();
    await cluster.clock.advance(minutes(5));
    assert.equal(await isThere(), true);
    sql.unreachable = 'connection refused';
    await setReadyReplicas(1);
    await cluster.clock.advance(minutes(1));
    assert.equal(await isThere(), true);
    sql.unreachable = undefined;
    await cluster.clock.advance(minutes(2));
    assert.equal(await isThere(), false);
    assert.equal(held().databases.size, 0);
  });

  test('are deleted without SQL when they never succeeded, or MariaDB is deleted', async () => {
    sql.unreachable = 'connection refused';
    await createDatabase();
    await deleteDatabase();
    assert.equal(await isThere(), false);
    sql.unreachable = undefined;
    await createDatabase();
    await cluster.client.delete(MariaDB, server);
    await cluster.clock.settle();
    await deleteDatabase();
    assert.equal(await isThere(), false);
    assert.equal(held().databases.size, 1, 'its volumes keep the data');
  });

  test('apply a changed password at once from a labelled Secret, otherwise within eleven hours', async () => {
    await cluster.client.create(User, user);
    await cluster.clock.settle();
    const change = (password: string, labels = {}) =>
      cluster.client.patch(Secret, { ...ks, name: 'ks-db' }, 'merge', {
        metadata: { labels },
        data: { password: btoa(password) },
      });
    await change('two');
    await cluster.clock.advance(minutes(9 * 60));
    assert.equal(held().users.get('ks@%')?.password, 'one');
    await cluster.clock.advance(minutes(2 * 60));
    assert.equal(held().users.get('ks@%')?.password, 'two');
    await change('three', { 'k8s.mariadb.com/watch': '' });
    await cluster.clock.settle();
    assert.equal(held().users.get('ks@%')?.password, 'three');
  });

  test('have the defaults of the schema, and fields that cannot change', async () => {
    await createDatabase();
    const { spec } = await cluster.client.get(Database, ks);
    assert.deepEqual([spec.characterSet, spec.collate, spec.mariaDbRef.waitForIt], ['utf8', 'utf8_general_ci', true]);
    const created = await cluster.client.create(User, { ...user, spec: { mariaDbRef } });
    assert.equal(created.spec.maxUserConnections, 10);
    const immutable = /field is immutable/;
    const change = (patch: object) => cluster.client.patch(Database, ks, 'merge', { spec: patch });
    await assert.rejects(change({ name: 'other' }), immutable);
    await assert.rejects(change({ name: null }), immutable);
    await assert.rejects(change({ characterSet: 'utf8mb4' }), immutable);
    await assert.rejects(cluster.client.patch(User, ks, 'merge', { spec: { host: 'x' } }), immutable);
    const refused = cluster.client.create(Grant, { ...grant, spec: { ...grant.spec, privileges: [] } });
    await assert.rejects(refused, /privileges/);
  });

  test('are created and dropped for the host, table and grant option in their spec', async () => {
    await cluster.client.create(User, { ...user, spec: { ...user.spec, host: 'localhost' } });
    const localGrant = { ...grant.spec, host: 'localhost', table: 'token', grantOption: true };
    await cluster.client.create(Grant, { ...grant, spec: localGrant });
    await cluster.clock.advance(seconds(10));
    assert.deepEqual([...held().users.keys()], ['ks@localhost']);
    const granted = 'GRANT ALL PRIVILEGES ON keystone.token TO ks@localhost WITH GRANT OPTION';
    assert.equal(sql.statements.at(-1), granted);
    await cluster.client.delete(User, ks);
    await cluster.clock.settle();
    assert.equal(held().users.size, 0);
  });

  test('may be in a different namespace from their MariaDB', async () => {
    const metadata = { namespace: 'other', name: 'ks' };
    await cluster.client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
    const spec = { ...database.spec, mariaDbRef: { ...mariaDbRef, namespace } };
    await cluster.client.create(Database, { ...database, metadata, spec });
    await cluster.clock.settle();
    assert.equal(await cluster.ready(Database, metadata), 'True Created: Created');
    assert.deepEqual([...held().databases.keys()], ['keystone']);
  });

  test('are repaired after requeueInterval', async () => {
    await createDatabase({ requeueInterval: '1m' });
    held().databases.clear();
    await cluster.clock.advance(seconds(59));
    assert.equal(held().databases.size, 0);
    await cluster.clock.advance(seconds(1));
    assert.deepEqual([...held().databases.keys()], ['keystone']);
  });
});
