// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { proportionalScale } from './proportional-scale.ts';

describe('scaling during a rollout', () => {
  test('scales up in proportion, as in the documentation of Deployments', () => {
    // 10 replicas, maxSurge 3, maxUnavailable 2: 8 old and 5 new pods; then 15 replicas.
    const bounds = { replicas: 15, maxSurge: 3, maxUnavailable: 2 };
    assert.deepEqual(
      proportionalScale(bounds, [
        { replicas: 8, ceiling: 13 },
        { replicas: 5, ceiling: 13 },
      ]),
      [11, 7],
    );
  });

  test('scales down in proportion', () => {
    const bounds = { replicas: 5, maxSurge: 1, maxUnavailable: 1 };
    assert.deepEqual(
      proportionalScale(bounds, [
        { replicas: 8, ceiling: 12 },
        { replicas: 4, ceiling: 12 },
      ]),
      [4, 2],
    );
  });

  test('gives the rounding remainder to the largest ReplicaSet, the newest of equals', () => {
    const bounds = { replicas: 6, maxSurge: 0, maxUnavailable: 1 };
    const equal = { replicas: 1, ceiling: 5 };
    assert.deepEqual(proportionalScale(bounds, [equal, equal, { replicas: 3, ceiling: 5 }]), [1, 1, 4]);
    assert.deepEqual(
      proportionalScale({ ...bounds, replicas: 3 }, [
        { replicas: 1, ceiling: 2 },
        { replicas: 1, ceiling: 2 },
      ]),
      [1, 2],
    );
  });

  test('scales everything to zero', () => {
    const bounds = { replicas: 0, maxSurge: 0, maxUnavailable: 0 };
    assert.deepEqual(
      proportionalScale(bounds, [
        { replicas: 2, ceiling: 3 },
        { replicas: 1, ceiling: 3 },
      ]),
      [0, 0],
    );
  });
});
