// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap, Namespace, PersistentVolumeClaim, Pod, Secret, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { home, openbaoFixture } from '../openbao-fixture.ts';
import { allReady, deleted, found, namesOf, runningCluster } from '../running-cluster.ts';
import type { StartedOpenBaoOperator } from '../start-openbao-operator.ts';

type Spec = Partial<OpenBaoCluster['spec']>;

/** A cluster that ran with this spec and was deleted; its data is kept. */
async function formerCluster(observer: CatalogObserver, spec: Spec): Promise<StartedOpenBaoOperator> {
  await using stack = new AsyncDisposableStack();
  const operator = stack.use(await runningCluster({ observer }, spec));
  // Until all of them vote.
  await operator.cluster.clock.advance(seconds(20));
  await deleted(operator);
  operator.calls();
  stack.move();
  return operator;
}

const create = ({ cluster }: StartedOpenBaoOperator, spec: Spec) =>
  cluster.client.create(OpenBaoCluster, openbaoFixture(spec));

/** Which cluster the server in a pod has the data of. */
const clusterOf = ({ servers }: StartedOpenBaoOperator, ordinal: number) =>
  servers.serverIn({ ...home, name: `demo-${ordinal}` })?.options.disk.store?.copy.clusterId;

const inits = (operator: StartedOpenBaoOperator) => operator.calls().filter((call) => call.endsWith('sys/init'));

/** A cluster of the name of one whose data was kept. */
export function reCreationFlows(observer: CatalogObserver): void {
  for (const replicas of [1, 3, 5]) {
    test(`the data of ${replicas} pods is used again, and nothing is initialised`, async () => {
      await using operator = await runningCluster({ observer }, { replicas });
      await operator.cluster.clock.advance(seconds(20));
      const id = clusterOf(operator, 0);
      const { data } = (await found(Secret, 'demo-root-token', operator)) ?? {};
      await deleted(operator);
      operator.calls();
      await create(operator, { replicas });
      await operator.untilCondition('Available', allReady(replicas));
      assert.deepEqual(inits(operator), []);
      for (let ordinal = 0; ordinal < replicas; ordinal += 1) assert.equal(clusterOf(operator, ordinal), id);
      assert.deepEqual((await found(Secret, 'demo-root-token', operator))?.data, data);
      await operator.untilCondition('OpenBaoInitialized', '+Initialized: OpenBao is initialised');
    });
  }

  test('all pods that have data start, also if fewer are wanted', async () => {
    await using operator = await formerCluster(observer, { replicas: 3 });
    await create(operator, { replicas: 1 });
    await operator.untilCondition(
      'Degraded',
      '+ScaleDownHeld: 3 pods stay although spec.replicas is 1: servers leave the Raft cluster only with a credential for upgrades: run forge seed, and set spec.upgrade.jwtAuthRole',
    );
    assert.equal((await found(StatefulSet, 'demo', operator))?.spec?.replicas, 3);
    assert.deepEqual(inits(operator), []);
  });

  test('all that are wanted start at once where there is data, also if fewer had it', async () => {
    await using operator = await formerCluster(observer, { replicas: 3 });
    await create(operator, { replicas: 5 });
    await operator.cluster.clock.until(async () => (await found(StatefulSet, 'demo', operator)) !== undefined);
    assert.equal((await found(StatefulSet, 'demo', operator))?.spec?.replicas, 5);
    await operator.untilCondition('Available', allReady(5));
    assert.deepEqual(inits(operator), []);
  });

  test('a higher version runs on the data, and a lower one than has run is refused before any pod starts', async () => {
    await using operator = await formerCluster(observer, { version: '2.6.2', replicas: 1 });
    await create(operator, { version: '2.7.2', replicas: 1 });
    await operator.untilCondition('Available', allReady(1));
    await operator.cluster.clock.advance(seconds(1));
    assert.equal((await operator.resource()).status?.highestVersion, '2.7.2');
    await deleted(operator);
    await create(operator, { version: '2.6.2', replicas: 1 });
    await operator.untilCondition('Degraded', '+DowngradeBlocked: Downgrade from 2.7.2 to 2.6.2 is not allowed');
    assert.deepEqual(await namesOf(StatefulSet, operator), []);
  });

  test('without the claim of the first pod it joins the others, and forms no cluster of its own', async () => {
    await using operator = await formerCluster(observer, { replicas: 3 });
    await operator.cluster.client.delete(PersistentVolumeClaim, { ...home, name: 'data-demo-0' });
    await create(operator, { replicas: 3 });
    await operator.untilCondition(
      'OpenBaoInitialized',
      'NotInitialized: Pod demo-0 has no data and waits to join the pods that have it',
    );
    await operator.untilCondition('Available', allReady(3));
    assert.equal(clusterOf(operator, 0), clusterOf(operator, 1));
    assert.deepEqual(inits(operator), []);
  });

  test('a cluster of the same name in another namespace stays as it is, and each keeps its own data and keys', async () => {
    await using operator = await runningCluster({ observer }, { replicas: 1 });
    const { client, clock } = operator.cluster;
    const other = { ...home, namespace: 'other' };
    await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: other.namespace } });
    await client.create(OpenBaoCluster, { ...openbaoFixture({ replicas: 1 }), metadata: other });
    const isAvailable = async () => {
      const { status } = await client.get(OpenBaoCluster, other);
      return status?.conditions?.some(({ type, message }) => type === 'Available' && allReady(1).endsWith(message));
    };
    await clock.until(isAvailable);
    await clock.advance(seconds(20));
    const kinds: readonly Kind[] = [Secret, PersistentVolumeClaim, ConfigMap, StatefulSet, Pod];
    const versionsIn = async ({ namespace }: { namespace: string }) => {
      const lists = await Promise.all(kinds.map((kind) => client.list(kind, { namespace })));
      return lists.flatMap(({ items }) => items.map(({ metadata }) => [metadata.uid, metadata.resourceVersion]));
    };
    const [others, own] = [await versionsIn(other), clusterOf(operator, 0)];
    assert.ok(others.length > 6, `${others.length} objects`);
    const keys = () => Promise.all(['demo-unseal-key', 'demo-root-token'].map((name) => found(Secret, name, operator)));
    const before = await keys();

    await deleted(operator);
    operator.calls();
    await create(operator, { replicas: 1 });
    await operator.untilCondition('Available', allReady(1));
    await clock.advance(seconds(20));
    assert.deepEqual(inits(operator), []);
    assert.equal(clusterOf(operator, 0), own);
    assert.deepEqual(
      (await keys()).map((key) => key?.data),
      before.map((key) => key?.data),
    );
    assert.deepEqual(await versionsIn(other), others);
    assert.notEqual(operator.servers.serverIn({ ...other, name: 'demo-0' })?.options.disk.store?.copy.clusterId, own);
  });

  test('without the key of the data no pod starts, and with another one neither', async () => {
    await using operator = await formerCluster(observer, { replicas: 1 });
    const { client } = operator.cluster;
    const metadata = { ...home, name: 'demo-unseal-key' };
    const { data = {} } = await client.get(Secret, metadata);
    await client.delete(Secret, metadata);
    await create(operator, { replicas: 1 });
    const is = (reason: string) => async () => (await operator.condition('Degraded'))?.startsWith(`+${reason}: `);
    await operator.cluster.clock.until(is('UnsealKeyMissing'));
    const key = Buffer.alloc(32, 'x').toString('base64');
    await client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata, data: { key } });
    await operator.cluster.clock.until(is('UnsealKeyMismatch'));
    assert.deepEqual(await namesOf(StatefulSet, operator), []);
    await client.delete(Secret, metadata);
    await client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata, data });
    await operator.untilCondition('Available', allReady(1));
  });

  test('a root token that nobody has kept is missed, and the cluster runs', async () => {
    await using operator = await formerCluster(observer, { replicas: 1 });
    await operator.cluster.client.delete(Secret, { ...home, name: 'demo-root-token' });
    await create(operator, { replicas: 1 });
    await operator.untilCondition('Available', allReady(1));
    await operator.cluster.clock.advance(seconds(1));
    assert.ok((await operator.events()).includes('RootTokenMissing'));
    assert.equal(await found(Secret, 'demo-root-token', operator), undefined);
  });
}
