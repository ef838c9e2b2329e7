// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PodBehavior } from '@forge/cluster/fake-node/pod-status.ts';
import { Deployment, Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { Keystone } from '../api/keystone.ts';
import { createInstalled, jobOf } from '../test/releases.ts';
import { allReady, home, startKeystoneOperator, type KeystoneOperator } from '../test/start-keystone-operator.ts';

const waiting = 'WaitingForDeployment: Keystone API deployment is not yet available';
const available = '+DeploymentReady: Keystone API deployment is available';
const crash: PodBehavior = { ready: 'never', exit: { code: 1, after: seconds(5), message: 'no such option' } };

/** A Keystone with three pods; new pods behave according to `later`. The messages of DeploymentReady are in `said`. */
async function installed(spec: object = {}) {
  const said: string[] = [];
  const observer: CatalogObserver = {
    condition: ({ type, status }) => void (type === 'DeploymentReady' && said.push(status)),
    event: () => {},
  };
  const scripted: { later: (pod: Pod) => PodBehavior } = { later: () => ({}) };
  const operator = await startKeystoneOperator((component, pod) => (component === 'api' ? scripted.later(pod) : {}), {
    observer,
  });
  await createInstalled(operator);
  const old = new Set((await operator.pods()).map(({ metadata }) => metadata.name));
  const change = async (to: object) => {
    said.length = 0;
    await operator.cluster.client.patch(Keystone, home, 'merge', { spec: to });
    await operator.cluster.clock.settle();
  };
  if (Object.keys(spec).length > 0) {
    await change(spec);
    await operator.untilCondition('Ready', allReady);
  }
  const setLater = (behavior: PodBehavior | ((pod: Pod) => PodBehavior)) => {
    const of = typeof behavior === 'function' ? behavior : () => behavior;
    scripted.later = (pod) => (old.has(pod.metadata.name) ? {} : of(pod));
  };
  return { operator, said, change, setLater };
}

const changedTemplate = { resources: { requests: { cpu: '50m' } } };
const isChanged = ({ spec }: Pod) => spec?.containers[0]?.resources?.requests?.['cpu'] === '50m';

async function scaleTo({ cluster: { client } }: KeystoneOperator, replicas: number): Promise<void> {
  await client.patch(Deployment, home, 'merge', { spec: { replicas } });
}

describe('DeploymentReady', () => {
  for (const type of ['RollingUpdate', 'Recreate']) {
    test(`is False from the pass that changes the pods on, as long as new ones crash: ${type}`, async () => {
      const { operator, said, change, setLater } = await installed({ strategy: { type } });
      await using _ = operator;
      setLater(crash);
      await change(changedTemplate);
      assert.equal(await operator.condition('DeploymentReady'), waiting);
      await operator.cluster.clock.advance(minutes(2));
      assert.deepEqual([...new Set(said)], ['False']);
      assert.equal(await operator.condition('DeploymentReady'), `${waiting}: CrashLoopBackOff: no such option`);
      setLater({});
      await operator.untilCondition('DeploymentReady', available);
    });
  }

  test('is False until the last old pod is replaced, although as many serve as are wanted', async () => {
    const { operator, said, change, setLater } = await installed();
    await using _ = operator;
    setLater({ ready: seconds(20) });
    await change(changedTemplate);
    await operator.cluster.clock.advance(seconds(50));
    assert.equal((await operator.deployment()).status?.readyReplicas, 3);
    assert.deepEqual([...new Set(said)], ['False']);
    await operator.untilCondition('DeploymentReady', available);
    assert.equal((await operator.deployment()).status?.updatedReplicas, 3);
  });

  test('stays True while more pods come, as long as the former number serves, and goes with one of those', async () => {
    const { operator, said, change, setLater } = await installed();
    await using _ = operator;
    setLater({ ready: 'never' });
    await change({ replicas: 5 });
    await operator.cluster.clock.advance(minutes(2));
    assert.equal((await operator.deployment()).status?.replicas, 5);
    assert.ok(!said.includes('False'));
    assert.equal((await operator.keystone()).status?.replicas, 3);
    const serving = (await operator.pods()).find(({ status }) => status?.containerStatuses?.[0]?.ready);
    assert.ok(serving);
    await operator.cluster.client.delete(Pod, refOf(serving));
    await operator.untilCondition('DeploymentReady', waiting);
    setLater({});
    await operator.untilCondition('Ready', allReady);
    assert.equal((await operator.keystone()).status?.replicas, 5);
  });

  test('stays True when there are to be fewer pods, and whatever an autoscaler decides', async () => {
    const { operator, said, change, setLater } = await installed();
    await using _ = operator;
    await change({ replicas: 2 });
    await operator.cluster.clock.advance(minutes(1));
    await change({ autoscaling: { minReplicas: 2, maxReplicas: 9, targetCPUUtilization: 70 } });
    await operator.cluster.clock.advance(minutes(1));
    said.length = 0;
    setLater({ ready: seconds(40) });
    await scaleTo(operator, 6);
    await operator.cluster.clock.advance(minutes(2));
    await scaleTo(operator, 4);
    await operator.cluster.clock.advance(minutes(1));
    assert.ok(!said.includes('False'));
    assert.equal((await operator.keystone()).status?.replicas, 4);
  });

  test('is False while pods of a withdrawn change are left, and while a change comes with more pods', async () => {
    const { operator, said, change, setLater } = await installed();
    await using _ = operator;
    setLater(crash);
    await change(changedTemplate);
    await operator.cluster.clock.advance(seconds(20));
    setLater({ ready: seconds(20) });
    await change({ resources: null, replicas: 5 });
    assert.equal(await operator.condition('DeploymentReady'), waiting);
    await operator.untilCondition('DeploymentReady', available);
    assert.ok(said.includes('False'));
    const { status } = await operator.deployment();
    assert.deepEqual([status?.updatedReplicas, status?.replicas, status?.readyReplicas], [5, 5, 5]);
  });

  test('is False while the Deployment is being deleted, which is left as it is; then there is another', async () => {
    const { operator, change } = await installed();
    await using _ = operator;
    const { client, clock } = operator.cluster;
    const finalizers = ['test.forge/held'];
    await client.patch(Deployment, home, 'merge', { metadata: { finalizers } });
    const before = await client.get(Deployment, home);
    await client.delete(Deployment, home);
    await change({ replicas: 5, ...changedTemplate });
    await clock.advance(minutes(1));
    const terminating = await client.get(Deployment, home);
    assert.deepEqual([terminating.metadata.uid, terminating.spec], [before.metadata.uid, before.spec]);
    assert.equal(await operator.condition('DeploymentReady'), waiting);
    await client.patch(Deployment, home, 'merge', { metadata: { finalizers: null } });
    await operator.untilCondition('Ready', allReady);
    assert.equal((await operator.deployment()).status?.readyReplicas, 5);
  });

  test('does not keep the API from being probed, nor a new password from it, while old pods serve', async () => {
    const { operator, change, setLater } = await installed();
    await using _ = operator;
    const { client, clock } = operator.cluster;
    setLater(crash);
    await change(changedTemplate);
    await clock.advance(minutes(1));
    const before = await jobOf(operator, 'bootstrap');
    const stringData = { password: 'another' };
    await client.patch(Secret, { ...home, name: 'keystone-admin' }, 'merge', { stringData });
    await clock.until(async () => (await jobOf(operator, 'bootstrap'))?.metadata.uid !== before?.metadata.uid);
    operator.health = { found: 'unhealthy', status: 503 };
    await operator.untilCondition('KeystoneAPIReady', 'APIUnhealthy: Keystone API returned HTTP 503');
  });

  test('says nothing of pods that are on their way out', async () => {
    const { operator, change, setLater } = await installed();
    await using _ = operator;
    const stuck = { reason: 'CreateContainerConfigError', message: 'secret "x" not found' };
    setLater((pod) => (isChanged(pod) ? { stuck, terminationDelay: minutes(10) } : { ready: minutes(5) }));
    await change(changedTemplate);
    await operator.untilCondition('DeploymentReady', `${waiting}: CreateContainerConfigError: secret "x" not found`);
    await change({ resources: { requests: { cpu: '60m' } } });
    await operator.cluster.clock.advance(minutes(1));
    const terminating = (await operator.pods()).filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
    assert.ok(terminating.length > 0 && terminating.every(isChanged));
    assert.equal(await operator.condition('DeploymentReady'), waiting);
  });
});
