// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PersistentVolumeClaim, Pod, PodDisruptionBudget, Secret, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, now, seconds } from '@forge/runtime/environment/duration.ts';
import { annotations } from '../../api/names.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { home, openbaoFixture } from '../openbao-fixture.ts';
import { policyFor, setToken, upgradeSecret, upgradeToken, withUpgradeToken } from '../raft-token.ts';
import {
  allReady,
  changeSpec,
  found,
  membersUnknown,
  namesOf,
  prerequisitesReady,
  runningCluster,
} from '../running-cluster.ts';
import type { StartedOpenBaoOperator } from '../start-openbao-operator.ts';
import { imagesOf, untilUpgrading, upgraded } from '../upgrades.ts';

type Options = Parameters<typeof runningCluster>[0];
type Spec = Parameters<typeof runningCluster>[1];

const pod = (ordinal: number) => ({ ...home, name: `demo-${ordinal}` });
const claim = (ordinal: number) => ({ ...home, name: `data-demo-${ordinal}` });

/** A cluster of which all servers vote, and the token with which they can be removed. */
async function votingCluster(options: Options, spec: Spec = {}): Promise<StartedOpenBaoOperator> {
  await using stack = new AsyncDisposableStack();
  const operator = stack.use(await runningCluster(options, { ...withUpgradeToken, ...spec }));
  await operator.cluster.clock.advance(seconds(30));
  setToken(operator.servers, policyFor('upgrade'));
  await storeToken(operator);
  await operator.untilCondition('Degraded', prerequisitesReady);
  operator.calls();
  stack.move();
  return operator;
}

async function storeToken({ cluster }: StartedOpenBaoOperator, token = upgradeToken): Promise<void> {
  const metadata = { ...home, name: upgradeSecret };
  await cluster.client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { token } });
}

const leaderOf = ({ servers }: StartedOpenBaoOperator) =>
  [0, 1, 2, 3, 4].find((ordinal) => servers.serverIn(pod(ordinal))?.leads === true);

/** The members as the leader knows them, by ordinal. */
function membersOf(operator: StartedOpenBaoOperator): string[] {
  const leader = operator.servers.serverIn(pod(leaderOf(operator) ?? 0));
  return (leader?.options.disk.store?.copy.peers ?? []).map(({ id }) => id).toSorted();
}

/** Lets this pod lead. */
async function letLead(ordinal: number, operator: StartedOpenBaoOperator): Promise<void> {
  const { servers, cluster } = operator;
  for (let tries = 0; leaderOf(operator) !== ordinal; tries += 1) {
    if (tries > 50) throw new Error(`demo-${ordinal} was never elected`);
    const leader = servers.serverIn(pod(leaderOf(operator) ?? 0));
    if (leader !== undefined && leader.leads) servers.servers?.raft.stepDown(leader);
    await cluster.clock.advance(seconds(12));
  }
}

const held = (cause: string) => `+ScaleDownHeld: 2 pods stay although spec.replicas is 1: ${cause}`;

const removals = (operator: StartedOpenBaoOperator) =>
  operator.calls().filter((call) => /remove-peer|step-down/.test(call));

const replicasOf = async (operator: StartedOpenBaoOperator) =>
  (await found(StatefulSet, 'demo', operator))?.spec?.replicas;

/** Waits until so many pods and claims are left. */
async function untilSize(size: number, operator: StartedOpenBaoOperator): Promise<void> {
  await operator.cluster.clock.until(async () => {
    const names = [...(await namesOf(Pod, operator)), ...(await namesOf(PersistentVolumeClaim, operator))];
    return names.length === 2 * size && (await replicasOf(operator)) === size;
  });
}

/** Which servers are members, and leave. */
export function membershipFlows(observer: CatalogObserver): void {
  test('servers leave one at a time: first the Raft cluster, then their pods, and then their data', async () => {
    await using operator = await votingCluster({ observer }, { replicas: 5 });
    operator.writes();
    await changeSpec(operator, { replicas: 3 });
    await untilSize(3, operator);
    assert.deepEqual(membersOf(operator), ['demo-0', 'demo-1', 'demo-2']);
    assert.deepEqual(
      removals(operator).map((call) => call.split(' ').at(-1)),
      ['sys/storage/raft/remove-peer', 'sys/storage/raft/remove-peer'],
    );
    const changes = operator.writes().filter((write) => /persistentvolumeclaims|statefulsets/.test(write));
    assert.deepEqual(
      changes.map((write) => write.replace('persistentvolumeclaims', 'claims')),
      [4, 3].flatMap((ordinal) => [
        `PATCH claims/data-demo-${ordinal}`,
        `PATCH claims/data-demo-${ordinal}`,
        'PATCH statefulsets/demo',
        `DELETE claims/data-demo-${ordinal}`,
      ]),
    );
    await operator.untilCondition('Degraded', prerequisitesReady);
    await operator.untilCondition('Available', allReady(3));
  });

  test('a server that leads hands over before it leaves, also the second of two', async () => {
    await using operator = await votingCluster({ observer }, { replicas: 2 });
    await letLead(1, operator);
    operator.calls();
    await changeSpec(operator, { replicas: 1 });
    await untilSize(1, operator);
    assert.deepEqual(removals(operator), ['PUT demo-1 sys/step-down', 'POST demo-0 sys/storage/raft/remove-peer']);
    assert.deepEqual(membersOf(operator), ['demo-0']);
  });

  for (const [when, at] of [
    ['before it is removed', 1],
    ['when it is removed', 2],
  ] as const) {
    test(`a server comes back with an empty disk, also when more are wanted again ${when}`, async () => {
      let marks = 0;
      await using operator = await votingCluster(
        {
          observer,
          before: async ({ method, path }) => {
            if (method !== 'PATCH' || !path.endsWith('/data-demo-4')) return;
            marks += 1;
            if (marks === at) await changeSpec(operator, { replicas: 5 });
          },
        },
        { replicas: 5 },
      );
      const { client } = operator.cluster;
      const { uid } = (await client.get(PersistentVolumeClaim, claim(4))).metadata;
      marks = 0;
      await changeSpec(operator, { replicas: 3 });
      await operator.cluster.clock.until(async () => {
        const { metadata } = (await found(PersistentVolumeClaim, 'data-demo-4', operator)) ?? {};
        return metadata !== undefined && metadata.uid !== uid;
      });
      await operator.untilCondition('Available', allReady(5));
      assert.equal(membersOf(operator).length, 5);
      assert.equal(removals(operator).length, 1);
      await operator.untilCondition('Degraded', prerequisitesReady);
    });
  }

  test('without a credential pods stay, with what to do about it, and leave once there is one', async () => {
    await using operator = await runningCluster({ observer }, { replicas: 2 });
    await operator.cluster.clock.advance(seconds(30));
    await operator.untilCondition('Degraded', membersUnknown);
    await changeSpec(operator, { replicas: 1 });
    await operator.untilCondition(
      'Degraded',
      held(
        'servers leave the Raft cluster only with a credential for upgrades: run forge seed, and set spec.upgrade.jwtAuthRole',
      ),
    );
    assert.match((await operator.condition('Available')) ?? '', /^\+AllReplicasReady: /);
    await changeSpec(operator, withUpgradeToken);
    await operator.untilCondition('Degraded', held('Secret upgrade-token with the key "token" is missing'));
    await storeToken(operator);
    await operator.untilCondition('Degraded', held('the token of Secret upgrade-token is not valid any more'));
    setToken(operator.servers, policyFor('backup'));
    await operator.untilCondition(
      'Degraded',
      held('the token of Secret upgrade-token needs update on sys/storage/raft/remove-peer'),
    );
    assert.equal(await replicasOf(operator), 2);
    setToken(operator.servers, policyFor('upgrade'));
    await untilSize(1, operator);
    await operator.untilCondition('Degraded', prerequisitesReady);
  });

  test('a role that does not exist is named', async () => {
    await using operator = await runningCluster({ observer }, { replicas: 3, upgrade: { jwtAuthRole: 'upgrades' } });
    await operator.cluster.clock.until(async () =>
      /Raft membership unknown: cannot log in with role upgrades: .*could not load configuration/.test(
        (await operator.condition('Degraded')) ?? '',
      ),
    );
  });

  test('nobody leaves while another server is not ready, and it is named', async () => {
    let isDown = false;
    await using operator = await votingCluster(
      {
        observer,
        behavior: ({ metadata }) => (isDown && metadata.name === 'demo-1' ? { stuck: 'cannot pull' } : undefined),
      },
      { replicas: 5 },
    );
    isDown = true;
    await operator.cluster.client.delete(Pod, pod(1));
    await operator.cluster.clock.advance(seconds(40));
    operator.calls();
    await changeSpec(operator, { replicas: 3 });
    await operator.untilCondition(
      'Degraded',
      '+ScaleDownHeld: 5 pods stay although spec.replicas is 3: waiting until demo-1 is healthy and in sync',
    );
    assert.deepEqual(removals(operator), []);
    isDown = false;
    await operator.cluster.client.delete(Pod, pod(1));
    await untilSize(3, operator);
  });

  test('a pod that is ready and no member is named, and joins again with an empty disk', async () => {
    await using operator = await votingCluster({ observer });
    const { client } = operator.cluster;
    const { servers } = operator.servers;
    await letLead(0, operator);
    const leader = operator.servers.serverIn(pod(0));
    assert.ok(leader !== undefined && servers !== undefined);
    servers.raft.commit(leader, (state) => (state.peers = state.peers.filter(({ id }) => id !== 'demo-2')));
    await operator.untilCondition(
      'Degraded',
      '+PeerRemoved: Pod demo-2 is ready, but not a member of the Raft cluster, and what it answers is out of date: delete PersistentVolumeClaim data-demo-2 and Pod demo-2, and it joins again with an empty disk',
    );
    await client.delete(PersistentVolumeClaim, claim(2));
    await client.delete(Pod, pod(2));
    await operator.untilCondition('Available', allReady(3));
    await operator.untilCondition('Degraded', prerequisitesReady);
  });

  test('a settled cluster is asked once a minute, and nothing is written', async () => {
    await using operator = await votingCluster({ observer });
    await operator.cluster.clock.advance(minutes(2));
    operator.calls();
    operator.writes();
    operator.reads();
    await operator.cluster.clock.advance(minutes(10));
    const calls = operator.calls().map((call) => call.split(' ').at(-1));
    assert.deepEqual(new Set(calls), new Set(['sys/leader', 'sys/storage/raft/configuration']));
    assert.ok(calls.length <= 22, `${calls.length} calls`);
    assert.deepEqual([...operator.writes(), ...operator.reads()], []);
  });

  test('an upgrade keeps the number of pods, and servers leave after it', async () => {
    await using operator = await votingCluster({ observer });
    await changeSpec(operator, { version: '2.8.0' });
    await untilUpgrading(/^\+UpgradeInProgress: Pod demo-2/, operator);
    await changeSpec(operator, { replicas: 1 });
    await untilUpgrading(/^\+UpgradeInProgress: Pod demo-1/, operator);
    await changeSpec(operator, { replicas: 5 });
    await untilUpgrading(/^\+UpgradeInProgress: Pod demo-0/, operator);
    await changeSpec(operator, { replicas: 1 });
    await operator.cluster.client.patch(StatefulSet, { ...home, name: 'demo' }, 'merge', { spec: { replicas: 2 } });
    await operator.cluster.clock.settle();
    assert.equal(await replicasOf(operator), 3);
    assert.equal(removals(operator).filter((call) => call.endsWith('remove-peer')).length, 0);
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.8.0'));
    await untilSize(1, operator);
  });

  test('servers leave before an upgrade that the same edit asks for', async () => {
    const claimsAtRelease = new Set<number>();
    await using operator = await votingCluster({
      observer,
      before: async ({ method, path, body }) => {
        if (method === 'PATCH' && path.endsWith('/statefulsets/demo') && JSON.stringify(body).includes('openbao:2.8.0'))
          claimsAtRelease.add((await namesOf(PersistentVolumeClaim, operator)).length);
      },
    });
    await changeSpec(operator, { version: '2.8.0', replicas: 1 });
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.8.0'));
    await untilSize(1, operator);
    assert.deepEqual([...claimsAtRelease], [1]);
    assert.deepEqual(await imagesOf(operator), ['openbao/openbao:2.8.0']);
  });

  test('no upgrade begins while a server leaves, also if as many are wanted as there are', async () => {
    await using operator = await votingCluster({ observer });
    const { client } = operator.cluster;
    await operator.stop();
    const leaving = { metadata: { annotations: { [annotations.removal]: 'begun' } } };
    const { uid } = (await client.patch(PersistentVolumeClaim, claim(2), 'merge', leaving)).metadata;
    await changeSpec(operator, { version: '2.8.0' });
    await operator.start();
    await untilUpgrading(/^\+UpgradeInProgress/, operator);
    assert.notEqual((await client.get(PersistentVolumeClaim, claim(2))).metadata.uid, uid);
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.8.0'));
    assert.equal(membersOf(operator).length, 3);
  });

  test('the data of a removed server is not used, also if its claim has lost its labels', async () => {
    await using operator = await votingCluster({ observer });
    const { client } = operator.cluster;
    const { spec: { resources = {}, accessModes = [] } = {} } = await client.get(PersistentVolumeClaim, claim(2));
    const { metadata } = await client.create(PersistentVolumeClaim, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { ...claim(3), annotations: { [annotations.removal]: 'done' } },
      spec: { resources, accessModes },
    });
    await changeSpec(operator, { replicas: 4 });
    await operator.untilCondition('Available', allReady(4));
    assert.notEqual((await client.get(PersistentVolumeClaim, claim(3))).metadata.uid, metadata.uid);
  });

  test('a mark that the operator sees late is not that of the next claim', async () => {
    let isLate = false;
    await using operator = await votingCluster(
      { observer, lag: (path) => (isLate && path.includes('persistentvolumeclaims') ? seconds(20) : now) },
      { replicas: 4 },
    );
    isLate = true;
    await changeSpec(operator, { replicas: 3 });
    await operator.cluster.clock.until(() => membersOf(operator).length === 3);
    await changeSpec(operator, { replicas: 4 });
    await operator.cluster.clock.advance(minutes(2));
    await operator.untilCondition('Available', allReady(4));
    assert.equal(removals(operator).length, 1);
    assert.equal(membersOf(operator).length, 4);
  });

  test('a member is removed before its claim is deleted, also if somebody has written that it was', async () => {
    await using operator = await votingCluster({ observer });
    const { client, clock } = operator.cluster;
    const done = { metadata: { annotations: { [annotations.removal]: 'done' } } };
    const { uid } = (await client.patch(PersistentVolumeClaim, claim(2), 'merge', done)).metadata;
    await clock.until(async () => (await found(PersistentVolumeClaim, 'data-demo-2', operator))?.metadata.uid !== uid);
    assert.ok(removals(operator).some((call) => call.endsWith('remove-peer')));
    await operator.untilCondition('Available', allReady(3));
    assert.equal(membersOf(operator).length, 3);
  });

  test('drains wait for each other until the last server that can be spared has left', async () => {
    await using operator = await runningCluster({ observer });
    await changeSpec(operator, { replicas: 1 });
    await operator.cluster.clock.advance(seconds(10));
    assert.equal(await replicasOf(operator), 3);
    assert.notEqual(await found(PodDisruptionBudget, 'demo-pdb', operator), undefined);
  });

  test('a re-creation does not start the removed server whose claim is left', async () => {
    await using operator = await votingCluster({ observer });
    const { client, clock } = operator.cluster;
    await client.delete(OpenBaoCluster, home);
    await clock.until(async () => (await client.find(OpenBaoCluster, home)) === undefined);
    const done = { metadata: { annotations: { [annotations.removal]: 'done' } } };
    await client.patch(PersistentVolumeClaim, claim(2), 'merge', done);
    await client.create(OpenBaoCluster, openbaoFixture());
    await operator.untilCondition('OpenBaoInitialized', '+Initialized: OpenBao is initialised');
    await clock.advance(seconds(30));
    assert.equal(await replicasOf(operator), 2);
  });
}
