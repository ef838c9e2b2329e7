// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodBehavior } from '@forge/cluster/fake-node/pod-status.ts';
import { PersistentVolumeClaim, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, now, seconds } from '@forge/runtime/environment/duration.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { home, openbaoFixture } from '../openbao-fixture.ts';
import { allReady, changeSpec, membersUnknown, runningCluster } from '../running-cluster.ts';
import { startOpenBaoOperator } from '../start-openbao-operator.ts';

const pod = (ordinal: number) => ({ ...home, name: `demo-${ordinal}` });

/** What is reported about the pods. */
export function summaryFlows(observer: CatalogObserver): void {
  test('a cluster that is without a leader for more than 30 seconds says so, and an election alone does not', async () => {
    await using operator = await runningCluster({ observer });
    const { client, clock } = operator.cluster;
    operator.servers.labelDelay = minutes(2);
    await client.delete(Pod, pod(0));
    await operator.untilCondition('Available', allReady(3));
    assert.equal(await operator.condition('OpenBaoLeader'), 'LeaderUnknown: No ready pod reports that it leads');
    await clock.advance(seconds(25));
    assert.equal(await operator.condition('Degraded'), membersUnknown);
    await operator.untilCondition('Degraded', '+LeaderUnknown: No ready pod leads; 3 of 3 are ready');
    assert.equal((await operator.resource()).status?.activeLeader, undefined);
    await operator.untilCondition('Degraded', membersUnknown);
    assert.match((await operator.condition('OpenBaoLeader')) ?? '', /^\+LeaderFound: /);
  });

  test('of two pods with the label of a leader the one that leads is asked for; both are named if nobody knows', async () => {
    let isLost = false;
    await using operator = await runningCluster({ observer, losesReply: () => isLost });
    const { client, clock } = operator.cluster;
    operator.calls();
    await client.patch(Pod, pod(1), 'merge', { metadata: { labels: { 'openbao-active': 'true' } } });
    await clock.settle();
    assert.deepEqual(operator.calls().toSorted().slice(0, 2), ['GET demo-0 sys/health', 'GET demo-1 sys/health']);
    assert.equal(await operator.condition('OpenBaoLeader'), '+LeaderFound: Pod demo-0 leads');
    isLost = true;
    await client.patch(Pod, pod(2), 'merge', { metadata: { labels: { 'openbao-active': 'true' } } });
    const several = 'MultipleLeaders: Pods demo-0, demo-1, demo-2 report that they lead';
    await operator.untilCondition('OpenBaoLeader', several);
    assert.equal((await operator.resource()).status?.activeLeader, undefined);
  });

  test('a pod that has crashed is not believed, and the others go on', async () => {
    let behavior: PodBehavior | undefined;
    await using operator = await runningCluster({
      observer,
      behavior: ({ metadata }) => (metadata.name === 'demo-2' ? behavior : undefined),
    });
    behavior = { exit: { code: 1, after: now, message: 'error: permission denied' } };
    const trouble = '2 of 3 pods are ready: CrashLoopBackOff: error: permission denied';
    await operator.untilCondition('Available', `NotReady: ${trouble}`);
    assert.equal(await operator.condition('Degraded'), `+PodNotReady: ${trouble}`);
    assert.equal(await operator.condition('OpenBaoLeader'), '+LeaderFound: Pod demo-0 leads');
    behavior = undefined;
    await operator.untilCondition('Degraded', membersUnknown);
  });

  test('a leader that has crashed is not taken for one, although its label says so', async () => {
    let behavior: PodBehavior | undefined;
    await using operator = await runningCluster({ observer, behavior: () => behavior }, { replicas: 1 });
    const { client, clock } = operator.cluster;
    behavior = { exit: { code: 1, after: now, message: 'error: permission denied' } };
    await clock.until(async () => (await operator.condition('Available'))?.startsWith('NoReplicasReady: '));
    assert.equal((await client.get(Pod, pod(0))).metadata.labels?.['openbao-active'], 'true');
    assert.equal(await operator.condition('OpenBaoLeader'), 'LeaderUnknown: No ready pod reports that it leads');
    assert.equal((await operator.resource()).status?.activeLeader, undefined);
  });

  test('a pod that stays sealed is named, and one that joins is none', async () => {
    await using operator = await runningCluster({ observer });
    const { client, clock } = operator.cluster;
    await clock.advance(seconds(20));
    const key = { ...home, name: 'demo-unseal-key' };
    const { data = {} } = await client.get(Secret, key);
    const withKey = async (value: string) => {
      await client.delete(Secret, key);
      await client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: key, data: { key: value } });
    };
    await operator.stop();
    await withKey(Buffer.alloc(32, 'x').toString('base64'));
    await client.delete(Pod, pod(2));
    await clock.advance(seconds(10));
    await withKey(data['key'] ?? '');
    await operator.start();
    const trouble =
      '2 of 3 pods are ready: Sealed: demo-2 cannot unseal, or have no data and find no server to join: their logs say which';
    await operator.untilCondition('Degraded', `+PodNotReady: ${trouble}`);
    assert.equal(await operator.condition('Available'), `NotReady: ${trouble}`);
    await client.delete(Pod, pod(2));
    await operator.untilCondition('Degraded', membersUnknown);
    await operator.untilCondition('Available', allReady(3));
  });

  test('a server whose volume is lost, and whose data nobody else has, is named', async () => {
    await using operator = await runningCluster({ observer }, { replicas: 1 });
    const { client } = operator.cluster;
    await client.delete(PersistentVolumeClaim, { ...home, name: 'data-demo-0' });
    await client.delete(Pod, pod(0));
    const why = 'Sealed: demo-0 cannot unseal, or have no data and find no server to join: their logs say which';
    await operator.untilCondition('Degraded', `+QuorumLost: No pod can lead: 0 of 1 are ready, and 1 must be: ${why}`);
  });

  test('pods of others count for nothing, whatever labels they have', async () => {
    let isDown = false;
    const stuck = { stuck: 'cannot pull' } as const;
    await using operator = await startOpenBaoOperator({
      observer,
      behavior: ({ metadata }) =>
        metadata.name === 'other' ? {} : isDown && metadata.name === 'demo-2' ? stuck : undefined,
    });
    const { client, clock } = operator.cluster;
    const labels = {
      'openbao.org/cluster': 'demo',
      'openbao.org/component': 'server',
      'openbao-initialized': 'true',
      'openbao-active': 'true',
      'openbao-version': '9.9.9',
    };
    const metadata = { ...home, name: 'other', labels };
    const spec = { containers: [{ name: 'openbao', image: 'other' }] };
    await client.create(Pod, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
    await client.create(OpenBaoCluster, openbaoFixture());
    await operator.untilCondition('Available', allReady(3));
    await operator.untilCondition('OpenBaoLeader', '+LeaderFound: Pod demo-0 leads');
    await clock.advance(seconds(20));
    assert.equal((await operator.resource()).status?.highestVersion, '2.7.2');
    isDown = true;
    await client.delete(Pod, pod(2));
    await clock.until(async () => (await operator.condition('Available'))?.startsWith('NotReady: 2 of 3 pods'));
  });

  test('an image that cannot be pulled is named, and its correction reaches the pod', async () => {
    await using operator = await startOpenBaoOperator({
      observer,
      behavior: ({ spec }) =>
        spec?.containers[0]?.image?.includes('typo') === true ? { stuck: 'cannot pull' } : undefined,
    });
    const image = 'registry.example.com/typo/openbao:2.7.2';
    await operator.cluster.client.create(OpenBaoCluster, openbaoFixture({ image, replicas: 1 }));
    const cause = `ImagePullBackOff: image "${image}" cannot be pulled`;
    await operator.untilCondition('Degraded', `+PodNotReady: 0 of 1 pods are ready: ${cause}`);
    assert.equal(await operator.condition('Available'), `NoReplicasReady: No pod is ready: ${cause}`);
    const initialized = `NotInitialized: Waiting for pod demo-0 to start: ${cause}`;
    assert.equal(await operator.condition('OpenBaoInitialized'), initialized);
    await changeSpec(operator, { image: null });
    await operator.untilCondition('Available', allReady(1));
  });

  test('a volume that there is not is named', async () => {
    await using operator = await startOpenBaoOperator({
      observer,
      behavior: () => ({ stuck: { reason: 'ContainerCreating' } }),
    });
    const { client } = operator.cluster;
    await client.create(PersistentVolumeClaim, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { ...home, name: 'data-demo-0', labels: { 'openbao.org/cluster': 'demo' } },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        storageClassName: 'gone',
        volumeName: 'gone',
      },
      status: { phase: 'Pending' },
    });
    const storage = { size: '1Gi', storageClassName: 'gone' };
    const unseal = {
      type: 'transit',
      transit: { address: 'https://keys:8200', keyName: 'demo', mountPath: 'transit' },
    };
    await client.create(OpenBaoCluster, openbaoFixture({ replicas: 1, storage, unseal: unseal as never }));
    await operator.untilCondition(
      'Degraded',
      '+PodNotReady: 0 of 1 pods are ready: PersistentVolumeClaim data-demo-0 is not bound: StorageClass "gone" may not exist',
    );
  });

  test('a claim that is being deleted, and keeps its pod from starting, is named', async () => {
    await using operator = await runningCluster({ observer });
    const { client } = operator.cluster;
    const claim = { ...home, name: 'data-demo-2' };
    const { finalizers = [] } = (await client.get(PersistentVolumeClaim, claim)).metadata;
    const hold = { metadata: { finalizers: [...finalizers, 'example.com/hold'] } };
    await client.patch(PersistentVolumeClaim, claim, 'merge', hold);
    await client.delete(PersistentVolumeClaim, claim);
    await client.delete(Pod, pod(2));
    await operator.untilCondition(
      'Degraded',
      '+PodNotReady: 2 of 3 pods are ready: PersistentVolumeClaim data-demo-2 is being deleted: its pod starts with a new one once it is gone',
    );
  });

  test('a cluster that has lost its quorum says how many pods it needs, and leads again when they are back', async () => {
    let isDown = false;
    await using operator = await runningCluster({
      observer,
      behavior: ({ metadata }) => (isDown && metadata.name !== 'demo-0' ? { stuck: 'cannot pull' } : undefined),
    });
    const { client, clock } = operator.cluster;
    // Until all of them vote.
    await clock.advance(seconds(20));
    isDown = true;
    await client.delete(Pod, pod(1));
    await client.delete(Pod, pod(2));
    const cause = 'ImagePullBackOff: image "openbao/openbao:2.7.2" cannot be pulled';
    await operator.untilCondition(
      'Degraded',
      `+QuorumLost: No pod can lead: 1 of 3 are ready, and 2 must be: ${cause}`,
    );
    isDown = false;
    await operator.untilCondition('Available', allReady(3));
    await operator.untilCondition('Degraded', membersUnknown);
  });
}
