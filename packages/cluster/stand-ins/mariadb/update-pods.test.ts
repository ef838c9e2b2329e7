// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { CustomResourceDefinition, Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { crdOf } from '@forge/kube/kinds/crd.ts';
import { MariaDB } from '@forge/kube/third-party/mariadb.ts';
import { manager } from '@forge/runtime/controller/manager.ts';
import { now, seconds } from '@forge/runtime/environment/duration.ts';
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import { testCluster, type TestCluster } from '@forge/testing/test-cluster.ts';
import { conditionOf } from '../../objects/with-condition.ts';
import { fakeSql } from './fake-sql.ts';
import { mariadbOperator } from './mariadb.ts';

const ref = { namespace: 'default', name: 'mariadb' };
const startup = seconds(20);

const isNew = ({ spec, metadata }: Pod) =>
  spec?.containers[0]?.image === 'mariadb:10.11.6' && metadata.deletionTimestamp === undefined;

describe('an update of a MariaDB', () => {
  let stack: AsyncDisposableStack;
  let cluster: TestCluster;

  beforeEach(async () => {
    stack = new AsyncDisposableStack();
    cluster = stack.use(await testCluster({ behavior: () => ({ ready: startup }) }));
    const { client, clock } = cluster;
    const { kinds, controllers, backoff } = mariadbOperator(fakeSql().reachedBy(clock));
    for (const kind of kinds) await client.create(CustomResourceDefinition, crdOf(kind));
    const log = logger({ clock, write: () => {} });
    const running = manager({ client, clock, random: seededRandom(), log, resync: now, backoff });
    for (const controller of controllers) running.add(controller);
    await running.start();
    stack.defer(() => running.stop());
  });

  afterEach(() => stack.disposeAsync());

  async function start(spec: Partial<MariaDB['spec']>): Promise<void> {
    const storage = { size: '1Gi' };
    await cluster.client.create(MariaDB, {
      apiVersion: 'k8s.mariadb.com/v1alpha1',
      kind: 'MariaDB',
      metadata: ref,
      spec: { storage, ...spec },
    });
    await cluster.clock.advance(seconds(25));
    assert.deepEqual(await conditions(), ['True StatefulSetReady', 'True Updated']);
  }

  const changeImage = async () => {
    await cluster.client.patch(MariaDB, ref, 'merge', { spec: { image: 'mariadb:10.11.6' } });
    await cluster.clock.settle();
  };

  async function conditions(): Promise<string[]> {
    const list = (await cluster.client.get(MariaDB, ref)).status?.conditions;
    return ['Ready', 'Updated'].map((type) => {
      const { status, reason } = conditionOf(list, type) ?? {};
      return `${status} ${reason}`;
    });
  }

  /** The pods that run the new image. */
  async function updated(): Promise<string[]> {
    const { items } = await cluster.client.list(Pod, { namespace: ref.namespace });
    return items.filter(isNew).map(({ metadata }) => metadata.name);
  }

  test('replaces pods one by one, the primary last, each when all are ready', async () => {
    await start({ replicas: 3, galera: { enabled: true } });
    await changeImage();
    assert.deepEqual(await updated(), ['mariadb-2']);
    assert.deepEqual(await conditions(), ['False Updating', 'False Updating']);
    await cluster.clock.advance(seconds(10));
    assert.deepEqual(await updated(), ['mariadb-2'], 'not while the new one starts');
    await cluster.clock.advance(seconds(15));
    assert.deepEqual(await updated(), ['mariadb-1', 'mariadb-2']);
    await cluster.clock.advance(seconds(25));
    assert.deepEqual(await updated(), ['mariadb-0', 'mariadb-1', 'mariadb-2']);
    await cluster.clock.advance(seconds(25));
    assert.deepEqual(await conditions(), ['True StatefulSetReady', 'True Updated']);
  });

  test('of a single server restarts it; it is not Ready until the new pod is', async () => {
    await start({});
    await changeImage();
    assert.deepEqual(await updated(), ['mariadb-0']);
    assert.match((await conditions())[0] ?? '', /^False/);
    await cluster.clock.advance(seconds(25));
    assert.deepEqual(await conditions(), ['True StatefulSetReady', 'True Updated']);
  });

  test('is left to the user with OnDelete: the MariaDB stays Ready with a pending update', async () => {
    await start({ updateStrategy: { type: 'OnDelete' } });
    await changeImage();
    await cluster.clock.advance(seconds(60));
    assert.deepEqual(await updated(), []);
    assert.deepEqual(await conditions(), ['True PendingUpdate', 'False PendingUpdate']);
    await cluster.client.delete(Pod, { ...ref, name: 'mariadb-0' });
    await cluster.clock.advance(seconds(25));
    assert.deepEqual(await updated(), ['mariadb-0']);
    assert.deepEqual(await conditions(), ['True StatefulSetReady', 'True Updated']);
  });

  test('starts all pods at once, since the StatefulSet is parallel', async () => {
    await cluster.client.create(MariaDB, {
      apiVersion: 'k8s.mariadb.com/v1alpha1',
      kind: 'MariaDB',
      metadata: ref,
      spec: { storage: { size: '1Gi' }, replicas: 3, galera: { enabled: true } },
    });
    await cluster.clock.settle();
    const { spec } = await cluster.client.get(StatefulSet, ref);
    assert.deepEqual([spec?.podManagementPolicy, spec?.updateStrategy?.type], ['Parallel', 'OnDelete']);
    assert.equal((await cluster.client.list(Pod, { namespace: ref.namespace })).items.length, 3);
  });
});
