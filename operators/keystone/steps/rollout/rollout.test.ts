// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Deployment } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { isAvailable, isRolledOut, isScaling, isStalled } from './rollout.ts';

const created = '2026-01-01T00:00:00Z';
const complete = { observedGeneration: 2, replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 };
const available = (status: 'True' | 'False', at = created) => ({
  type: 'Available',
  status,
  lastUpdateTime: at,
  lastTransitionTime: at,
});

/** A Deployment of three pods in its second generation. */
function deployment(status: Partial<Deployment['status']> = {}, conditions = [available('True')]): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'identity', generation: 2, creationTimestamp: created },
    spec: { replicas: 3, selector: {}, template: {} },
    status: { ...complete, ...status, conditions },
  };
}

describe('the rollout of a Deployment', () => {
  for (const [what, object, isServing, isComplete] of [
    ['complete', deployment(), true, true],
    ['not begun: what status says is of an earlier generation', deployment({ observedGeneration: 1 }), false, false],
    ['short of a ready pod', deployment({ readyReplicas: 2 }), false, false],
    ['not available', deployment({}, [available('False')]), false, false],
    ['without an Available condition', deployment({}, []), false, false],
    ['at work: an old pod is left beside the new ones', deployment({ replicas: 4 }), true, false],
    ['at work: a pod is still an old one', deployment({ updatedReplicas: 2 }), true, false],
    ['at work: one new pod, no old one, two to come', deployment({ replicas: 1, updatedReplicas: 1 }), true, false],
  ] as const) {
    test(`is ${what}`, () => {
      assert.deepEqual([isAvailable(object), isRolledOut(object)], [isServing, isComplete]);
    });
  }

  for (const [what, status, former, expected] of [
    ['more pods, and the former number serves', { readyReplicas: 2 }, 2, true],
    ['more pods, and one of the former number does not serve', { readyReplicas: 1 }, 2, false],
    ['fewer pods, which all serve', {}, 5, true],
    ['fewer pods, and one does not serve', { readyReplicas: 2 }, 5, false],
    ['another template, too: an old pod is left', { replicas: 4 }, 3, false],
  ] as const) {
    test(`is one of ${what}: ${expected ? '' : 'not '}of their number alone`, () => {
      assert.equal(isScaling(deployment(status), former), expected);
    });
  }

  test('is stalled when it has not come further for the delay, counted from its last sign of progress', () => {
    const start = Date.parse(created);
    const hanging = { replicas: 4 };
    assert.equal(isStalled(deployment(hanging), start + 29_000, seconds(30)), false);
    assert.equal(isStalled(deployment(hanging), start + 31_000, seconds(30)), true);
    assert.equal(isStalled(deployment(), start + 31_000, seconds(30)), false);
    assert.equal(isStalled(deployment({ ...hanging, observedGeneration: 1 }), start + 31_000, seconds(30)), false);
    const later = deployment(hanging, [available('True', '2026-01-01T00:00:20Z')]);
    assert.equal(isStalled(later, start + 31_000, seconds(30)), false);
    assert.equal(isStalled(later, start + 51_000, seconds(30)), true);
  });
});
