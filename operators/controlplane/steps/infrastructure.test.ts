// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { installKind } from '@forge/testing/install-kind.ts';
import { ControlPlane } from '../api/control-plane.ts';
import { brownfield, controlPlaneFixture, home } from '../test/control-plane-fixture.ts';
import { setReady } from '../test/set-ready.ts';
import {
  startControlPlaneOperator,
  createControlPlane,
  type ControlPlaneOperator,
} from '../test/start-control-plane-operator.ts';

const database = { ...home, name: 'openstack-db' };
const cache = { ...home, name: 'openstack-memcached' };
const { infrastructure } = controlPlaneFixture().spec;

const waitingForDatabase = 'WaitingForDatabase: MariaDB "openstack-db" is not ready';
const waitingForCache = 'WaitingForCache: Memcached "openstack-memcached" is not ready';
const available = '+InfrastructureReady: All managed backing services are ensured and ready';

const condition = (operator: ControlPlaneOperator) => operator.condition('InfrastructureReady');

/** A MariaDB that somebody else created. */
const existing = (change: Partial<MariaDB['metadata']> = {}): MariaDB => ({
  apiVersion: 'k8s.mariadb.com/v1alpha1',
  kind: 'MariaDB',
  metadata: { ...database, ...change },
  spec: { replicas: 1, storage: { size: '1Gi' } },
});

describe('database and cache', () => {
  test('are created both before either is awaited, the database first, and observed without polling', async () => {
    await using operator = await startControlPlaneOperator({ wanted: [] });
    const { client, clock } = operator.cluster;
    const owner = await createControlPlane(operator);
    await operator.untilCondition('InfrastructureReady', waitingForDatabase);
    const mariadb = await client.get(MariaDB, database);
    const { replicas, galera, storage } = mariadb.spec;
    assert.deepEqual(
      { replicas, galera, storage },
      {
        replicas: 3,
        galera: { enabled: true },
        storage: { size: '100Gi' },
      },
    );
    assert.deepEqual(mariadb.metadata.ownerReferences, [controllerReference(owner)]);
    assert.equal((await client.get(Memcached, cache)).spec.replicas, 3);
    await setReady(client, MariaDB, database);
    await clock.settle();
    assert.equal(await condition(operator), waitingForCache);
    await setReady(client, Memcached, cache);
    await clock.settle();
    assert.equal(await condition(operator), available);
    await setReady(client, MariaDB, database, 'False');
    await clock.settle();
    assert.equal(await condition(operator), waitingForDatabase);
  });

  test('become ready with the operators that run them', async () => {
    await using operator = await startControlPlaneOperator({ wanted: ['mariadb', 'memcached'] });
    await createControlPlane(operator);
    await operator.untilCondition('InfrastructureReady', available);
  });

  test('with one replica are no Galera cluster', async () => {
    await using operator = await startControlPlaneOperator({ wanted: [] });
    const small = { ...infrastructure, database: { ...infrastructure.database, replicas: 1 } };
    await createControlPlane(operator, { infrastructure: small });
    await operator.untilCondition('InfrastructureReady', waitingForDatabase);
    const { spec } = await operator.cluster.client.get(MariaDB, database);
    assert.deepEqual([spec.replicas, spec.galera], [1, { enabled: false }]);
  });

  test('get back their replicas, and keep whatever else others set', async () => {
    await using operator = await startControlPlaneOperator({ wanted: [] });
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('InfrastructureReady', waitingForDatabase);
    const galera = { enabled: true, primary: { podIndex: 1 } };
    const change = { replicas: 5, galera, port: 3307, storage: { size: '200Gi' } };
    await client.patch(MariaDB, database, 'merge', { spec: change });
    await client.patch(Memcached, cache, 'merge', { spec: { replicas: 1, image: 'memcached:1.6.30' } });
    await clock.settle();
    const { spec: kept } = await client.get(MariaDB, database);
    assert.deepEqual([kept.replicas, kept.galera, kept.storage?.size, kept.port], [3, galera, '200Gi', 3307]);
    const { spec } = await client.get(Memcached, cache);
    assert.deepEqual([spec.replicas, spec.image], [3, 'memcached:1.6.30']);
    operator.writes();
    await clock.advance(minutes(30));
    assert.deepEqual(operator.writes(), []);
  });

  test('follow the replicas of the cache in the spec', async () => {
    await using operator = await startControlPlaneOperator({ wanted: [] });
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('InfrastructureReady', waitingForDatabase);
    await client.patch(ControlPlane, home, 'merge', { spec: { infrastructure: { cache: { replicas: 5 } } } });
    await clock.settle();
    assert.equal((await client.get(Memcached, cache)).spec.replicas, 5);
  });

  test('that exist already are used as they are: neither changed nor owned, and they outlive the ControlPlane', async () => {
    await using operator = await startControlPlaneOperator({ wanted: ['memcached'] });
    const { client, clock } = operator.cluster;
    await client.create(MariaDB, existing());
    await setReady(client, MariaDB, database);
    await clock.settle();
    await createControlPlane(operator);
    await operator.untilCondition('InfrastructureReady', available);
    const { metadata, spec } = await client.get(MariaDB, database);
    assert.deepEqual([metadata.ownerReferences, spec.replicas], [undefined, 1]);
    await setReady(client, MariaDB, database, 'False');
    await clock.settle();
    assert.equal(await condition(operator), waitingForDatabase);
    await client.delete(ControlPlane, home);
    await clock.advance(minutes(1));
    assert.equal(await client.find(ControlPlane, home), undefined);
    assert.equal(await client.find(Memcached, cache), undefined);
    assert.equal((await client.get(MariaDB, database)).metadata.deletionTimestamp, undefined);
  });

  test('a cache that exists already is used as it is, and observed without polling', async () => {
    await using operator = await startControlPlaneOperator({ wanted: ['mariadb'] });
    const { client, clock } = operator.cluster;
    const theirs: Memcached = {
      apiVersion: 'memcached.c5c3.io/v1beta1',
      kind: 'Memcached',
      metadata: cache,
      spec: { replicas: 1 },
    };
    await client.create(Memcached, theirs);
    await createControlPlane(operator);
    await operator.untilCondition('InfrastructureReady', waitingForCache);
    await setReady(client, Memcached, cache);
    await clock.settle();
    assert.equal(await condition(operator), available);
    const { metadata, spec } = await client.get(Memcached, cache);
    assert.deepEqual([metadata.ownerReferences, spec.replicas], [undefined, 1]);
  });

  for (const [what, change] of [
    ['that is being deleted', { finalizers: ['example.com/hold'] }],
    [
      'of an earlier ControlPlane',
      { ownerReferences: [controllerReference({ ...controlPlaneFixture(), metadata: { ...home, uid: 'earlier' } })] },
    ],
  ] satisfies [string, Partial<MariaDB['metadata']>][]) {
    test(`a database ${what} is neither adopted nor ready, and its successor is created`, async () => {
      await using operator = await startControlPlaneOperator({ wanted: ['memcached'] });
      const { client, clock } = operator.cluster;
      await operator.stop();
      const finalizers = ['example.com/hold'];
      await client.create(MariaDB, existing({ ...change, finalizers }));
      await setReady(client, MariaDB, database);
      if (what === 'that is being deleted') await client.delete(MariaDB, database);
      await operator.start();
      await createControlPlane(operator);
      await operator.untilCondition('InfrastructureReady', waitingForDatabase);
      await clock.advance(minutes(1));
      assert.equal(await condition(operator), waitingForDatabase);
      assert.equal((await client.get(MariaDB, database)).spec.replicas, 1);
      await client.patch(MariaDB, database, 'merge', { metadata: { finalizers: null } });
      await clock.until(async () => (await client.find(MariaDB, database))?.spec.replicas === 3);
    });
  }

  test('a database of its own that is being deleted is not ready, whatever it says, and that is seen without polling', async () => {
    await using operator = await startControlPlaneOperator({ wanted: ['memcached'] });
    const { client, clock } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('InfrastructureReady', waitingForDatabase);
    await setReady(client, MariaDB, database);
    await operator.untilCondition('InfrastructureReady', available);
    await client.patch(MariaDB, database, 'merge', { metadata: { finalizers: ['example.com/hold'] } });
    await client.delete(MariaDB, database);
    await clock.settle();
    assert.equal(await condition(operator), waitingForDatabase);
  });

  test('that say what is wrong with them have it told', async () => {
    await using operator = await startControlPlaneOperator({ wanted: ['memcached'] });
    const { client } = operator.cluster;
    await createControlPlane(operator);
    await operator.untilCondition('InfrastructureReady', waitingForDatabase);
    const notReady = { type: 'Ready', status: 'False', reason: 'StatefulSet', message: '0 of 3 pods are ready' };
    const conditions = [{ ...notReady, lastTransitionTime: '2026-01-01T00:00:00Z' }];
    await client.patch(MariaDB, database, 'merge', { status: { conditions } }, { subresource: 'status' });
    await operator.untilCondition('InfrastructureReady', `${waitingForDatabase}: Ready: 0 of 3 pods are ready`);
  });

  test('are managed each by itself: a cache of the user is left alone beside a managed database', async () => {
    await using operator = await startControlPlaneOperator({ kinds: [MariaDB], wanted: [] });
    const { client } = operator.cluster;
    await createControlPlane(operator, { infrastructure: { ...infrastructure, cache: brownfield.cache } });
    await operator.untilCondition('InfrastructureReady', waitingForDatabase);
    await setReady(client, MariaDB, database);
    await operator.untilCondition('InfrastructureReady', available);
  });

  test('of the user need nothing', async () => {
    await using operator = await startControlPlaneOperator({ kinds: [], wanted: [] });
    await createControlPlane(operator, { infrastructure: brownfield });
    await operator.untilCondition('InfrastructureReady', available);
  });

  test('that mariadb-operator is missing for are awaited until it is installed', async () => {
    await using operator = await startControlPlaneOperator({ kinds: [Memcached], wanted: [] });
    await createControlPlane(operator);
    await operator.untilCondition(
      'InfrastructureReady',
      'KindNotInstalled: MariaDB openstack-db cannot be written: mariadbs.k8s.mariadb.com is not installed in this cluster',
    );
    await installKind(operator.cluster, MariaDB);
    await operator.untilCondition('InfrastructureReady', waitingForDatabase);
  });

  test('that the server refuses are shown with its reason', async () => {
    await using operator = await startControlPlaneOperator({ wanted: [] });
    const allow = await operator.deny('create', MariaDB);
    await createControlPlane(operator);
    await operator.cluster.clock.until(async () =>
      (await condition(operator))?.startsWith('MariaDBError: ensuring MariaDB: MariaDB openstack-db was refused: '),
    );
    await allow();
    await operator.untilCondition('InfrastructureReady', waitingForDatabase);
  });
});
