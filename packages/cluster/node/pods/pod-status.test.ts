// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodStatus } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { afterExit, afterStart, newRecord, recordsOf, type ContainerRecord } from './container-record.ts';
import { planPod } from './pod-plan.ts';
import { podStatus } from './pod-status.ts';

const time = '2026-01-01T00:00:00Z';
const later = '2026-01-01T00:01:00Z';

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default' },
  spec: { restartPolicy: 'Always', containers: [{ name: 'main', image: 'web:1' }] },
};
const withInit: Pod = { ...pod, spec: { ...pod.spec!, initContainers: [{ name: 'init', image: 'web:1' }] } };
const job: Pod = { ...pod, spec: { ...pod.spec!, restartPolicy: 'Never' } };

const fresh = newRecord({ name: 'main', image: 'web:1' });
const running = afterStart(fresh, 'abc', 'web:1@sha256:0', time);
const ready = { ...running, started: true, ready: true };
const exit = (exitCode: number) => ({ exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', finishedAt: time });

function statusOf(
  of: Pod,
  records: Record<string, ContainerRecord>,
  more: { before?: PodStatus; problem?: string } = {},
) {
  const all = new Map([...recordsOf(of), ...Object.entries(records)]);
  const plan = planPod(of.spec!, all, Date.parse(time));
  return podStatus({ pod: of, records: all, plan, address: '10.244.0.2', now: time, ...more });
}

function condition(status: PodStatus, type: string): string {
  const { status: holds, reason, message } = status.conditions?.find((one) => one.type === type) ?? {};
  return [holds, reason, message].filter((part) => part !== undefined).join(' ');
}

test('a pod whose container is being created is pending, with the reason', () => {
  const status = statusOf(pod, {}, { problem: 'secret "x" not found' });
  assert.equal(status.phase, 'Pending');
  assert.deepEqual(status.containerStatuses?.[0]?.state, {
    waiting: { reason: 'ContainerCreating', message: 'secret "x" not found' },
  });
  assert.equal(condition(status, 'Ready'), 'False ContainersNotReady containers with unready status: [main]');
  assert.equal(condition(status, 'Initialized'), 'True');
});

test('containers wait for the init containers', () => {
  const status = statusOf(withInit, {});
  assert.deepEqual(status.containerStatuses?.[0]?.state, { waiting: { reason: 'PodInitializing' } });
  assert.equal(
    condition(status, 'Initialized'),
    'False ContainersNotInitialized containers with incomplete status: [init]',
  );
});

test('a running pod is ready when its containers are', () => {
  const starting = statusOf(pod, { main: running });
  assert.deepEqual([starting.phase, condition(starting, 'Ready').split(' ')[0]], ['Running', 'False']);
  const up = statusOf(pod, { main: ready });
  assert.deepEqual([up.phase, condition(up, 'Ready'), condition(up, 'ContainersReady')], ['Running', 'True', 'True']);
  assert.deepEqual(up.containerStatuses?.[0], {
    name: 'main',
    image: 'web:1',
    imageID: 'web:1@sha256:0',
    ready: true,
    started: true,
    restartCount: 0,
    state: { running: { startedAt: time } },
    lastState: {},
    containerID: 'forge://abc',
  });
});

test('an unchanged condition keeps its time', () => {
  const before = statusOf(pod, { main: ready });
  const all = new Map([['main', running]]);
  const status = podStatus({
    pod,
    records: all,
    plan: planPod(pod.spec!, all, 0),
    address: '10.244.0.2',
    before,
    now: later,
  });
  const times = Object.fromEntries(status.conditions?.map((one) => [one.type, one.lastTransitionTime]) ?? []);
  assert.deepEqual([times['Ready'], times['Initialized'], status.startTime], [later, time, time]);
});

test('conditions of other writers stay', () => {
  const gate = { type: 'example.org/gate', status: 'True' };
  const status = statusOf({ ...pod, status: { conditions: [gate] } }, { main: ready });
  assert.deepEqual(status.conditions?.at(-1), gate);
});

test('a container in a crash loop is waiting, with its last exit', () => {
  const once = afterExit(running, exit(3));
  const twice = afterExit(afterStart(once, 'def', 'web:1@sha256:0', time), exit(4));
  const { phase, containerStatuses: [shown] = [] } = statusOf(pod, { main: twice });
  assert.equal(phase, 'Running');
  assert.deepEqual(shown?.state, {
    waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s restarting failed container=main pod=web_default' },
  });
  assert.deepEqual([shown.lastState?.terminated?.exitCode, shown.restartCount], [4, 1]);
});

test('a finished pod has succeeded or failed according to its containers', () => {
  const good = statusOf(job, { main: afterExit(running, exit(0)) });
  assert.deepEqual([good.phase, condition(good, 'Ready')], ['Succeeded', 'False PodCompleted']);
  assert.deepEqual(good.containerStatuses?.[0]?.state, { terminated: exit(0) });
  const bad = statusOf(job, { main: afterExit(running, exit(2)) });
  assert.deepEqual([bad.phase, condition(bad, 'Ready')], ['Failed', 'False PodFailed']);
});

test('an image that cannot be pulled is the reason', () => {
  const waiting = { reason: 'ErrImagePull', message: 'not in the catalogue' };
  const status = statusOf(pod, { main: { ...fresh, waiting } });
  assert.deepEqual([status.phase, status.containerStatuses?.[0]?.state], ['Pending', { waiting }]);
});

test('a container that ran before a restart of the node is being created, if it is started again', () => {
  const ran = { name: 'main', image: 'web:1', imageID: '', ready: true, restartCount: 1, containerID: 'forge://1' };
  const status: PodStatus = { containerStatuses: [{ ...ran, state: { running: { startedAt: time } } }] };
  const [restarted] = statusOf({ ...pod, status }, {}).containerStatuses ?? [];
  assert.deepEqual(restarted?.state, { waiting: { reason: 'ContainerCreating' } });
  const { reason, containerID } = restarted.lastState?.terminated ?? {};
  assert.deepEqual([reason, containerID, restarted.ready], ['ContainerStatusUnknown', 'forge://1', false]);
  const ended = statusOf({ ...job, status }, {});
  const [left] = ended.containerStatuses ?? [];
  assert.deepEqual([ended.phase, left?.state?.terminated?.reason], ['Failed', 'ContainerStatusUnknown']);
});
