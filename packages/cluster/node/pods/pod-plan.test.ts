// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PodSpec } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { afterExit, afterStart, newRecord, recordsOf, type ContainerRecord } from './container-record.ts';
import { planPod } from './pod-plan.ts';

const now = Date.UTC(2026, 0, 1);
const at = (seconds: number) => new Date(now + seconds * 1000).toISOString();

const spec = (restartPolicy: string, inits: string[] = []): PodSpec => ({
  restartPolicy,
  initContainers: inits.map((name) => ({ name })),
  containers: [{ name: 'main' }],
});

/** A container after exits with these codes, one second apart, the last of them now. */
function ended(...exitCodes: number[]): ContainerRecord {
  let record = newRecord({ name: 'main' });
  exitCodes.forEach((exitCode, index) => {
    const time = at(index + 1 - exitCodes.length);
    record = afterExit(afterStart(record, 'id', '', time), { exitCode, startedAt: time, finishedAt: time });
  });
  return record;
}

const plan = (of: PodSpec, records: Record<string, ContainerRecord> = {}, time = now) => {
  const { start, backOff, finished } = planPod(of, new Map(Object.entries(records)), time);
  return {
    start: start.map(({ name }) => name),
    wait: [...backOff.values()].map(({ delay }) => delay / 1000),
    finished,
  };
};

describe('the plan of a pod', () => {
  test('init containers run one by one, then the containers', () => {
    const pod = spec('Always', ['one', 'two']);
    const running = afterStart(newRecord({ name: 'one' }), 'id', '', at(0));
    assert.deepEqual(plan(pod).start, ['one']);
    assert.deepEqual(plan(pod, { one: running }).start, []);
    assert.deepEqual(plan(pod, { one: ended(0) }).start, ['two']);
    assert.deepEqual(plan(pod, { one: ended(0), two: ended(0) }).start, ['main']);
  });

  test('a failed init container is restarted, unless restartPolicy is Never', () => {
    assert.deepEqual(plan(spec('OnFailure', ['one']), { one: ended(1) }).start, ['one']);
    assert.deepEqual(plan(spec('Never', ['one']), { one: ended(1) }), { start: [], wait: [], finished: true });
  });

  test('an exited container is restarted by restartPolicy', () => {
    assert.deepEqual(plan(spec('Always'), { main: ended(0) }).start, ['main']);
    assert.deepEqual(plan(spec('OnFailure'), { main: ended(1) }).start, ['main']);
    assert.deepEqual(plan(spec('OnFailure'), { main: ended(0) }).finished, true);
    assert.deepEqual(plan(spec('Never'), { main: ended(1) }).finished, true);
  });

  test('each crash doubles the backoff, from ten seconds to five minutes; the first restart is immediate', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map(
      (count) => plan(spec('Always'), { main: ended(...Array(count).fill(1)) }).wait,
    );
    assert.deepEqual(waits, [[], [10], [20], [40], [80], [160], [300], [300]]);
    assert.deepEqual(plan(spec('Always'), { main: ended(1, 1) }, now + 10_000).start, ['main']);
  });

  test('the backoff is reset after ten minutes of running', () => {
    const crashed = afterStart(ended(1, 1, 1), 'id', '', at(0));
    const survived = afterExit(crashed, { exitCode: 1, startedAt: at(0), finishedAt: at(600) });
    assert.deepEqual(plan(spec('Always'), { main: survived }, now + 600_000).start, ['main']);
  });
});

const found = (restartPolicy: string, main: object): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: spec(restartPolicy, ['init']),
  status: {
    initContainerStatuses: [
      { name: 'init', image: '', imageID: '', ready: true, restartCount: 0, state: { terminated: { exitCode: 0 } } },
    ],
    containerStatuses: [{ name: 'main', image: '', imageID: '', ready: true, restartCount: 2, ...main }],
  },
});

describe('a pod from before the node was restarted', () => {
  const running = { state: { running: { startedAt: at(-60) } } };

  test('that was running is restarted from its first init container, and counts the restart', () => {
    const pod = found('Always', running);
    const records = recordsOf(pod);
    assert.deepEqual(plan(pod.spec!, Object.fromEntries(records)).start, ['init']);
    const { exit, restartCount } = records.get('main')!;
    assert.deepEqual([exit?.reason, exit?.exitCode, restartCount], ['ContainerStatusUnknown', 137, 2]);
    assert.equal(afterStart(records.get('main')!, 'id', '', at(0)).restartCount, 3);
  });

  test('that must not be restarted fails', () => {
    const pod = found('Never', running);
    assert.deepEqual(plan(pod.spec!, Object.fromEntries(recordsOf(pod))), { start: [], wait: [], finished: true });
  });

  test('keeps its last exit while waiting', () => {
    const waiting = { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated: { exitCode: 3 } } };
    assert.equal(recordsOf(found('Always', waiting)).get('main')?.exit?.exitCode, 3);
  });

  test('does not run its ephemeral containers again', () => {
    const pod = found('Always', running);
    const debug = { name: 'debug', image: '', imageID: '', ready: false, restartCount: 0, ...running };
    const records = recordsOf({
      ...pod,
      spec: { ...pod.spec!, initContainers: [], ephemeralContainers: [{ name: 'debug' }] },
      status: { ...pod.status, ephemeralContainerStatuses: [debug] },
    });
    assert.equal(records.get('debug')?.exit?.reason, 'ContainerStatusUnknown');
    const after = { ...spec('Always'), ephemeralContainers: [{ name: 'debug' }] };
    const main = afterStart(records.get('main')!, 'id', '', at(0));
    assert.deepEqual(plan(after, { ...Object.fromEntries(records), main }).start, []);
  });
});
