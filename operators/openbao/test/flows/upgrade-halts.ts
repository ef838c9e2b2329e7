// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodBehavior } from '@forge/cluster/fake-node/pod-status.ts';
import { type Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { annotations } from '../../api/names.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { home } from '../openbao-fixture.ts';
import { changeSpec, membersUnknown, runningCluster } from '../running-cluster.ts';
import type { StartedOpenBaoOperator } from '../start-openbao-operator.ts';
import { imagesOf, untilUpgrading, upgraded, votingCluster } from '../upgrades.ts';

const pull = (image: string) => `ImagePullBackOff: image "${image}" cannot be pulled`;
const halted = (reason: string, pod: string, version = '2.8.0') =>
  `${reason}: The upgrade to ${version} is halted at pod ${pod}: Degraded says why`;
const notReady = (pod: string, problem: string) =>
  `+PodNotReady: The upgrade is halted: ${pod} was replaced and is not ready after 5 minutes. It goes on once the pod is ready, or with a corrected spec: ${problem}`;

const stepDownFailed = (why: string) =>
  `+StepDownFailed: The upgrade is halted: demo-0 leads and cannot be asked to step down. It is tried again every 30 seconds: ${why}`;

/** Pods whose image has this in its name cannot start. */
const stuckWith =
  (part: string) =>
  ({ spec }: Pod): PodBehavior | undefined =>
    spec?.containers[0]?.image?.includes(part) === true ? { stuck: 'cannot pull' } : undefined;

const phaseOf = async (operator: StartedOpenBaoOperator) => (await operator.resource()).status?.phase;

const annotate = ({ cluster: { client } }: StartedOpenBaoOperator, value: string) =>
  client.patch(OpenBaoCluster, home, 'merge', { metadata: { annotations: { [annotations.retryUpgrade]: value } } });

const serverOf = ({ servers }: StartedOpenBaoOperator, name: string) => servers.serverIn({ ...home, name });

/** Upgrades that come to a halt, and what makes them go on. */
export function upgradeHaltFlows(observer: CatalogObserver): void {
  test('an image that cannot be pulled stops at the first pod, and the corrected one goes on from there', async () => {
    await using operator = await votingCluster({ observer, behavior: stuckWith('typo') });
    const image = 'registry.example.com/typo/openbao:2.7.2';
    await changeSpec(operator, { image });
    await operator.untilCondition('Upgrading', halted('PodNotReady', 'demo-2', '2.7.2'));
    assert.equal(await operator.condition('Degraded'), notReady('demo-2', pull(image)));
    assert.equal(await phaseOf(operator), 'Failed');
    assert.deepEqual(await imagesOf(operator), ['openbao/openbao:2.7.2', 'openbao/openbao:2.7.2', image]);
    await operator.cluster.clock.advance(minutes(30));
    assert.deepEqual(
      operator.calls().filter((call) => call.includes('step-down')),
      [],
    );
    const correct = 'registry.example.com/openbao/openbao:2.7.2';
    await changeSpec(operator, { image: correct });
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.7.2'));
    assert.deepEqual(await imagesOf(operator), Array(3).fill(correct));
    assert.ok((await operator.events()).includes('PodNotReady'));
  });

  test('a version is taken back while its first pod cannot start, and refused once one of its pods has run', async () => {
    let stuck = ['demo-2'];
    const behavior = (pod: Pod) => (stuck.includes(pod.metadata.name) ? stuckWith('2.8.0')(pod) : undefined);
    await using operator = await votingCluster({ observer, behavior });
    await changeSpec(operator, { version: '2.8.0' });
    await operator.untilCondition('Upgrading', halted('PodNotReady', 'demo-2'));
    await changeSpec(operator, { version: '2.7.2' });
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.7.2'));
    assert.deepEqual(await imagesOf(operator), Array(3).fill('openbao/openbao:2.7.2'));

    stuck = ['demo-1'];
    await changeSpec(operator, { version: '2.8.0' });
    await operator.untilCondition('Upgrading', halted('PodNotReady', 'demo-1'));
    await changeSpec(operator, { version: '2.7.2' });
    await operator.untilCondition('Degraded', '+DowngradeBlocked: Downgrade from 2.8.0 to 2.7.2 is not allowed');
    const images = await imagesOf(operator);
    await operator.cluster.clock.advance(minutes(10));
    assert.deepEqual(await imagesOf(operator), images);
    stuck = [];
    await changeSpec(operator, { version: '2.8.0' });
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.8.0'));
  });

  test('past that point a corrected image heals the broken pod first, and no pod goes back', async () => {
    await using operator = await votingCluster({
      observer,
      behavior: (pod) => (pod.metadata.name === 'demo-1' ? stuckWith('typo')(pod) : undefined),
    });
    await changeSpec(operator, { version: '2.8.0', image: 'typo/openbao/openbao:2.8.0' });
    await operator.untilCondition('Upgrading', halted('PodNotReady', 'demo-1'));
    const correct = 'registry.example.com/openbao/openbao:2.8.0';
    await changeSpec(operator, { image: correct });
    await operator.cluster.clock.until(async () => (await imagesOf(operator))[1] === correct);
    assert.equal((await imagesOf(operator))[2], 'typo/openbao/openbao:2.8.0');
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.8.0'));
    assert.deepEqual(await imagesOf(operator), Array(3).fill(correct));
  });

  test('a leader that does not hand over keeps its pod; the annotation asks it again', async () => {
    await using operator = await votingCluster({ observer });
    const { raft } = operator.servers.servers ?? {};
    assert.ok(raft !== undefined);
    const stepDown = raft.stepDown.bind(raft);
    raft.stepDown = () => {};
    await changeSpec(operator, { config: { log_level: 'debug' } });
    await operator.untilCondition('Upgrading', halted('StepDownTimeout', 'demo-0', '2.7.2'));
    assert.equal(
      await operator.condition('Degraded'),
      '+StepDownTimeout: The upgrade is halted: no other pod took over from demo-0 within 30 seconds. It goes on once one leads; to ask again, change the annotation openbao.org/retry-upgrade',
    );
    const asked = () => operator.calls().filter((call) => call.endsWith('sys/step-down'));
    assert.deepEqual(asked(), ['PUT demo-0 sys/step-down']);
    await operator.cluster.clock.advance(minutes(10));
    assert.deepEqual(asked(), []);
    raft.stepDown = stepDown;
    await annotate(operator, 'again');
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.7.2'));
    assert.deepEqual(asked(), ['PUT demo-0 sys/step-down']);
  });

  test('a leader that nobody may ask keeps its pod until there is a token', async () => {
    await using operator = await votingCluster({ observer }, { upgrade: { tokenSecretRef: { name: 'upgrade' } } });
    const { client } = operator.cluster;
    await changeSpec(operator, { config: { log_level: 'debug' } });
    await operator.untilCondition('Upgrading', halted('StepDownFailed', 'demo-0', '2.7.2'));
    assert.equal(
      await operator.condition('Degraded'),
      stepDownFailed('Secret upgrade with the key "token" is missing'),
    );
    const stringData = { token: 's.unknown' };
    const metadata = { ...home, name: 'upgrade' };
    await client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata, stringData });
    await operator.untilCondition('Degraded', stepDownFailed('the token of Secret upgrade is not valid any more'));
    const { data = {} } = await client.get(Secret, { ...home, name: 'demo-root-token' });
    await client.patch(Secret, metadata, 'merge', { data });
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.7.2'));
  });

  test('a pod that does not answer stops the upgrade, which goes on by itself once it does', async () => {
    let isSilent = true;
    const losesReply = (call: string) => isSilent && call === 'GET demo-2 sys/health';
    let isOn = false;
    await using operator = await votingCluster({ observer, losesReply: (call) => isOn && losesReply(call) });
    await changeSpec(operator, { version: '2.8.0' });
    await operator.cluster.clock.until(async () => serverOf(operator, 'demo-2')?.options.version === '2.8.0');
    isOn = true;
    await operator.untilCondition('Upgrading', halted('HealthCheckFailed', 'demo-2'));
    assert.equal(
      await operator.condition('Degraded'),
      '+HealthCheckFailed: The upgrade is halted: demo-2 was replaced and is not initialised and unsealed after 2 minutes. It goes on once it is',
    );
    isSilent = false;
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.8.0'));
  });

  test('a pod that is not in sync stops the upgrade, and no other pod goes', async () => {
    await using operator = await votingCluster({ observer });
    const { raft } = operator.servers.servers ?? {};
    assert.ok(raft !== undefined);
    await changeSpec(operator, { version: '2.8.0' });
    await operator.cluster.clock.until(async () => serverOf(operator, 'demo-2')?.options.version === '2.8.0');
    raft.isLeaderless = true;
    await operator.untilCondition('Upgrading', halted('RaftSyncTimeout', 'demo-2'));
    assert.equal(
      await operator.condition('Degraded'),
      '+RaftSyncTimeout: The upgrade is halted: demo-2 was replaced and is not in sync with the leader after 2 minutes. It goes on once it is',
    );
    assert.deepEqual((await imagesOf(operator)).slice(0, 2), Array(2).fill('openbao/openbao:2.7.2'));
    raft.isLeaderless = false;
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.8.0'));
  });

  test('an image of another version is named, in an upgrade and without one', async () => {
    const image = 'registry.example.com/openbao/openbao:2.7.9';
    await using operator = await votingCluster({ observer });
    await changeSpec(operator, { version: '2.8.0', image });
    await operator.untilCondition('Upgrading', halted('UpgradeFailed', 'demo-2'));
    assert.equal(
      await operator.condition('Degraded'),
      `+UpgradeFailed: The upgrade is halted: demo-2 runs the image ${image}, which is not version 2.8.0. Correct spec.image or spec.version: it reports 2.7.9`,
    );
    await changeSpec(operator, { version: '2.7.9' });
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.7.9'));
    await changeSpec(operator, { version: '2.8.0' });
    const disagree = `+UpgradeFailed: Pods that run the image ${image} report version 2.7.9, not 2.8.0: correct spec.image or spec.version`;
    await operator.untilCondition('Degraded', disagree);
    await changeSpec(operator, { version: '2.7.9' });
    await operator.untilCondition('Degraded', membersUnknown);
  });

  test('an operator that comes back gives a step that has lasted too long one window more', async () => {
    let isStuck = true;
    const behavior = (pod: Pod) => (isStuck ? stuckWith('2.8.0')(pod) : undefined);
    await using operator = await votingCluster({ observer, behavior });
    await changeSpec(operator, { version: '2.8.0' });
    await operator.cluster.clock.until(async () => (await imagesOf(operator))[2] === 'openbao/openbao:2.8.0');
    await operator.stop();
    await operator.cluster.clock.advance(minutes(20));
    await operator.start();
    await operator.cluster.clock.advance(minutes(4));
    assert.equal(await phaseOf(operator), 'Upgrading');
    await operator.untilCondition('Upgrading', halted('PodNotReady', 'demo-2'));
    await operator.stop();
    await operator.start();
    await operator.cluster.clock.advance(seconds(10));
    assert.equal(await phaseOf(operator), 'Failed');
    isStuck = false;
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.8.0'));
  });

  test('a paused upgrade stays where it is, and goes on afterwards', async () => {
    await using operator = await votingCluster({ observer });
    await changeSpec(operator, { version: '2.8.0' });
    await untilUpgrading(/^\+UpgradeInProgress: Pod demo-1/, operator);
    await changeSpec(operator, { paused: true });
    const paused = 'UpgradePaused: The upgrade to 2.8.0 goes on when spec.paused is false';
    await operator.untilCondition('Upgrading', paused);
    operator.writes();
    await operator.cluster.clock.advance(minutes(20));
    assert.deepEqual(operator.writes(), []);
    await changeSpec(operator, { paused: false });
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.8.0'));
  });

  test('no pod goes while another one is down, whatever the upgrade has come to', async () => {
    let isDown = false;
    const behavior = ({ metadata }: Pod): PodBehavior | undefined =>
      isDown && metadata.name === 'demo-0'
        ? { exit: { code: 1, after: seconds(0), message: 'error: boom' } }
        : undefined;
    await using operator = await votingCluster({ observer, behavior });
    await changeSpec(operator, { version: '2.8.0' });
    await operator.cluster.clock.until(async () => serverOf(operator, 'demo-2')?.options.version === '2.8.0');
    isDown = true;
    await untilUpgrading(/^\+UpgradeInProgress: .*it waits for demo-0 to be ready$/, operator);
    await operator.cluster.clock.advance(minutes(30));
    assert.deepEqual((await imagesOf(operator)).slice(0, 2), Array(2).fill('openbao/openbao:2.7.2'));
    assert.equal(await phaseOf(operator), 'Upgrading');
    isDown = false;
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.8.0'));
  });

  for (const replicas of [1, 2]) {
    test(`${replicas} pods are replaced with a warning, since none can be spared`, async () => {
      await using operator = await votingCluster({ observer }, { replicas });
      await changeSpec(operator, { version: '2.9.0' });
      await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.9.0'));
      const events = await operator.events();
      assert.ok(events.includes('UpgradeInterrupts') && events.includes('UpgradeSkipsVersions'), events.join());
      const asked = operator.calls().filter((call) => call.endsWith('sys/step-down'));
      assert.equal(asked.length, replicas - 1, asked.join());
    });
  }

  test('a new cluster is not upgraded before its pods vote', async () => {
    await using operator = await runningCluster({ observer });
    await changeSpec(operator, { config: { log_level: 'debug' } });
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.7.2'));
    assert.equal((await operator.events()).filter((each) => each === 'StepDownTimeout').length, 0);
  });
}
