// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JobStatus } from '@forge/kube/generated/types.ts';
import type { Pod } from '@forge/kube/kinds/builtin.ts';
import fc from 'fast-check';
import { endedAt, pod } from '../test/pods.ts';
import { failureRule, jobTracking, countPods } from './pod-counts.ts';

const isFailed = failureRule({ template: {} });

const isHeld = ({ metadata }: Pod) => metadata.finalizers?.includes(jobTracking) === true;

interface SavedState {
  status: JobStatus;
  pods: Pod[];
}

/**
 * What a reconcile saves before it crashes: first the status, then the removal of `releases` finalizers, pod by pod.
 */
function pass({ status, pods }: SavedState, releases: number): SavedState {
  const { succeeded, failed, uncounted } = countPods(status, pods, isFailed);
  const listed = [...uncounted.succeeded, ...uncounted.failed].slice(0, releases);
  return {
    status: { succeeded, failed, uncountedTerminatedPods: uncounted },
    pods: pods.map((item) =>
      listed.includes(item.metadata.uid ?? '') ? { ...item, metadata: { ...item.metadata, finalizers: [] } } : item,
    ),
  };
}

describe('the pod counts of a Job', () => {
  test('keep a pod as uncounted until its finalizer is removed, and then count it', () => {
    const held = pod('a', { finalizers: [jobTracking] }, endedAt(0, 0));
    const listed = countPods({ succeeded: 2 }, [held], isFailed);
    assert.deepEqual(listed, { succeeded: 2, failed: 0, uncounted: { succeeded: ['a'], failed: [] } });
    const status = { succeeded: 2, uncountedTerminatedPods: listed.uncounted };
    assert.deepEqual(countPods(status, [held], isFailed), listed);
    assert.deepEqual(countPods(status, [], isFailed), {
      succeeded: 3,
      failed: 0,
      uncounted: { succeeded: [], failed: [] },
    });
  });

  test('count each pod once, wherever a reconcile is interrupted and whenever pods disappear', () => {
    const step = fc.record({ releases: fc.nat(4), vanishes: fc.boolean() });
    const outcomes = fc.array(fc.boolean(), { maxLength: 6 });
    fc.assert(
      fc.property(outcomes, fc.array(step, { maxLength: 8 }), (ends, steps) => {
        const pods = ends.map((good, index) =>
          pod(`p${index}`, { finalizers: [jobTracking] }, endedAt(0, good ? 0 : 1)),
        );
        let state: SavedState = { status: {}, pods };
        for (const { releases, vanishes } of [
          ...steps,
          { releases: 9, vanishes: true },
          { releases: 0, vanishes: false },
        ]) {
          state = pass(state, releases);
          if (vanishes) state = { ...state, pods: state.pods.filter(isHeld) };
        }
        const good = ends.filter(Boolean).length;
        assert.deepEqual([state.status.succeeded, state.status.failed], [good, ends.length - good]);
      }),
    );
  });
});
