// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JobSpec, JobStatus } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { at, endedAt, noon, pod, readyAt } from '../test/pods.ts';
import { planJob, type JobPlan } from './job-plan.ts';
import { jobTracking } from './pod-counts.ts';

const finalizers = [jobTracking];

function plan(
  spec: Omit<Partial<JobSpec>, 'completions'> & { completions?: number | undefined },
  status: JobStatus,
  pods: Pod[],
  second = 0,
): JobPlan {
  const { completions, ...whole } = {
    parallelism: 1,
    completions: 1,
    backoffLimit: 6,
    template: { spec: { containers: [] } },
    ...spec,
  };
  return planJob(
    { ...whole, ...(completions !== undefined && { completions }) },
    status,
    pods,
    virtualClock(noon + second * 1000),
  );
}

function conditionsOf({ status }: JobPlan): string[] {
  return (status.conditions ?? []).map(({ type, status: is, reason }) => `${type}=${is} ${reason ?? ''}`);
}

const failure = (name: string, second: number): Pod => pod(name, { finalizers }, endedAt(second, 1));

describe('the pods of a Job', () => {
  test('are created up to parallelism, and no more than the missing completions', () => {
    assert.equal(plan({ parallelism: 3, completions: 5 }, {}, []).create, 3);
    assert.equal(plan({ parallelism: 3, completions: 5 }, { succeeded: 4 }, []).create, 1);
    assert.equal(plan({ parallelism: 3, completions: 5 }, { succeeded: 3 }, [pod('a')]).create, 1);
  });

  test('are created and removed 500 at a time, as there may be two thousand million', () => {
    const { create, status } = plan({ parallelism: 2 ** 31 - 1, completions: undefined }, {}, [pod('a')]);
    assert.deepEqual([create, status.active], [500, 501]);
    const surplus = Array.from({ length: 600 }, (_, index) => pod(`a${index}`));
    assert.equal(plan({ parallelism: 0, completions: undefined }, {}, surplus).remove.length, 500);
  });

  test('are removed without being counted when parallelism decreases', () => {
    const { remove, stop, create, status } = plan({ parallelism: 1, completions: 5 }, {}, [
      pod('a'),
      pod('b', {}, readyAt(0)),
    ]);
    assert.deepEqual([remove.map(({ metadata }) => metadata.name), stop, create], [['a'], [], 0]);
    assert.deepEqual([status.active, status.ready, status.terminating], [1, 1, 1]);
  });

  const waits: [number, number][] = [
    [1, 10],
    [2, 20],
    [3, 40],
    [6, 320],
  ];
  for (const [failures, wait] of waits) {
    test(`wait ${wait} s after failure ${failures}`, () => {
      const failed = Array.from({ length: failures }, (_, index) => failure(`f${index}`, index));
      const last = failures - 1;
      const early = plan({}, {}, failed, last + wait - 1);
      assert.deepEqual([early.create, early.recheck], [0, seconds(1)]);
      assert.equal(plan({}, {}, failed, last + wait).create, 1);
    });
  }

  test('do not wait for failures before a success', () => {
    const pods = [failure('f', 0), pod('s', { finalizers }, endedAt(5, 0))];
    assert.equal(plan({ completions: 2 }, {}, pods, 6).create, 1);
  });

  test('replace a terminating pod at once or when it has finished, by podReplacementPolicy', () => {
    const terminating = pod('a', { finalizers, deletionTimestamp: at(-60) });
    assert.equal(plan({}, {}, [terminating]).create, 1);
    assert.deepEqual(plan({}, {}, [terminating]).status.uncountedTerminatedPods, { failed: ['a'] });
    assert.equal(plan({ podReplacementPolicy: 'Failed' }, {}, [terminating]).create, 0);
  });

  test('are deleted and not created while the Job is suspended', () => {
    const { remove, create, status } = plan({ suspend: true }, { startTime: at(0) }, [pod('a')], 5);
    assert.deepEqual([remove.length, create, status.startTime], [1, 0, undefined]);
    assert.deepEqual(status.conditions?.[0]?.reason, 'JobSuspended');
    const resumed = plan({}, status, [], 9);
    assert.deepEqual([resumed.create, resumed.status.startTime], [1, at(9)]);
    assert.deepEqual(conditionsOf(resumed), ['Suspended=False JobResumed']);
  });
});

describe('completion of a Job', () => {
  test('waits until its last pod is counted', () => {
    const success = pod('a', { finalizers }, endedAt(5, 0));
    const first = plan({}, { startTime: at(0), active: 1 }, [success], 5);
    assert.deepEqual(conditionsOf(first), ['SuccessCriteriaMet=True CompletionsReached']);
    assert.deepEqual(first.status.uncountedTerminatedPods, { succeeded: ['a'] });
    assert.deepEqual([first.status.succeeded, first.status.active], [undefined, undefined]);

    const second = plan({}, first.status, [{ ...success, metadata: { ...success.metadata, finalizers: [] } }], 6);
    assert.deepEqual(conditionsOf(second), [
      'SuccessCriteriaMet=True CompletionsReached',
      'Complete=True CompletionsReached',
    ]);
    assert.deepEqual([second.status.succeeded, second.status.completionTime], [1, at(6)]);
    assert.deepEqual(second.status.uncountedTerminatedPods, {});
  });

  test('fails when more pods failed than backoffLimit', () => {
    const failed = [failure('a', 0), failure('b', 20)];
    assert.deepEqual(conditionsOf(plan({ backoffLimit: 2 }, {}, failed, 20)), []);
    const over = plan(
      { backoffLimit: 1, parallelism: 2, completions: 2 },
      {},
      [...failed, pod('c', { finalizers })],
      20,
    );
    assert.deepEqual(conditionsOf(over), ['FailureTarget=True BackoffLimitExceeded']);
    assert.equal(over.status.conditions?.[0]?.message, 'Job has reached the specified backoff limit');
    assert.deepEqual([over.stop.length, over.create], [1, 0]);
    const gone = plan({ backoffLimit: 1 }, over.status, [], 21);
    assert.deepEqual(conditionsOf(gone)[1], 'Failed=True BackoffLimitExceeded');
    assert.deepEqual([gone.status.failed, gone.status.completionTime], [3, undefined]);
  });

  test('fails when containers were restarted in place up to backoffLimit', () => {
    const containerStatuses = [{ name: 'main', image: '', imageID: '', ready: false, restartCount: 2 }];
    const restarted = pod('a', { finalizers }, { phase: 'Running', containerStatuses });
    const template = { spec: { containers: [], restartPolicy: 'OnFailure' } };
    assert.deepEqual(conditionsOf(plan({ template, backoffLimit: 3 }, {}, [restarted])), []);
    assert.deepEqual(conditionsOf(plan({ template, backoffLimit: 2 }, {}, [restarted])), [
      'FailureTarget=True BackoffLimitExceeded',
    ]);
  });

  test('fails at its deadline, and is rechecked then', () => {
    const spec = { activeDeadlineSeconds: 30 };
    assert.equal(plan(spec, { startTime: at(0) }, [pod('a')], 20).recheck, seconds(10));
    assert.deepEqual(conditionsOf(plan(spec, { startTime: at(0) }, [pod('a')], 30)), [
      'FailureTarget=True DeadlineExceeded',
    ]);
  });

  test('waits for terminating pods', () => {
    const terminating = pod('a', { deletionTimestamp: at(60) });
    const verdict = plan({ activeDeadlineSeconds: 1 }, { startTime: at(0) }, [terminating], 5);
    assert.deepEqual([conditionsOf(verdict).length, verdict.status.terminating], [1, 1]);
  });

  test('without spec.completions, needs one success and the end of the last pod', () => {
    const open = { parallelism: 2, completions: undefined };
    const success = pod('a', { finalizers }, endedAt(5, 0));
    assert.deepEqual(conditionsOf(plan(open, {}, [success, pod('b')], 5)), []);
    assert.equal(plan(open, {}, [success, pod('b')], 5).create, 0);
    assert.deepEqual(conditionsOf(plan(open, {}, [success], 5)), ['SuccessCriteriaMet=True CompletionsReached']);
  });
});

test('the status of a Job is unchanged when nothing happens', () => {
  const settled = plan({}, plan({}, {}, [pod('a')]).status, [pod('a')], 100);
  assert.deepEqual(settled.status, plan({}, settled.status, [pod('a')], 200).status);
  const ending = plan({ activeDeadlineSeconds: 1 }, { startTime: at(0) }, [pod('a')], 5);
  assert.deepEqual(plan({ activeDeadlineSeconds: 1 }, ending.status, [pod('a')], 9).status, ending.status);
});
