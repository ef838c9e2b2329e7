// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DeploymentStrategy } from '@forge/kube/generated/types.ts';
import fc from 'fast-check';
import { nextNewReplicas, nextOldReplicas, rolloutBounds, type RolloutBounds, type SetSize } from './rolling-update.ts';

const template = { spec: { containers: [] } };

function boundsOf(replicas: number, strategy?: DeploymentStrategy): RolloutBounds {
  return rolloutBounds({ replicas, selector: {}, template, ...(strategy && { strategy }) });
}

describe('the bounds of a rollout', () => {
  const cases: [number, number | string, number | string, number, number][] = [
    [10, '25%', '25%', 3, 2],
    [1, '25%', '25%', 1, 0],
    [4, 1, 0, 1, 0],
    [3, 0, 0, 0, 1],
    [3, '0%', '10%', 0, 1],
    [2, 0, 5, 0, 2],
  ];
  for (const [replicas, maxSurge, maxUnavailable, surge, unavailable] of cases) {
    test(`of ${replicas} pods with maxSurge ${maxSurge} and maxUnavailable ${maxUnavailable} are ${surge} and ${unavailable}`, () => {
      const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } };
      assert.deepEqual(boundsOf(replicas, strategy), { replicas, maxSurge: surge, maxUnavailable: unavailable });
    });
  }

  test('are zero with Recreate', () => {
    assert.deepEqual(boundsOf(3, { type: 'Recreate' }), { replicas: 3, maxSurge: 0, maxUnavailable: 0 });
  });
});

describe('a rolling update', () => {
  const bounds = { replicas: 4, maxSurge: 1, maxUnavailable: 1 };

  test('adds new pods up to the surge', () => {
    assert.equal(nextNewReplicas(bounds, 0, 4), 1);
    assert.equal(nextNewReplicas(bounds, 1, 4), 1);
    assert.equal(nextNewReplicas(bounds, 1, 0), 4);
    assert.equal(nextNewReplicas(bounds, 6, 0), 4);
  });

  test('removes unavailable old pods before available ones, oldest ReplicaSet first', () => {
    const current = { replicas: 1, available: 0 };
    assert.deepEqual(
      nextOldReplicas(bounds, current, [
        { replicas: 2, available: 2 },
        { replicas: 2, available: 0 },
      ]),
      [2, 1],
    );
    assert.deepEqual(
      nextOldReplicas(bounds, current, [
        { replicas: 2, available: 2 },
        { replicas: 2, available: 2 },
      ]),
      [1, 2],
    );
  });

  test('keeps every available old pod while the new ones are not available', () => {
    const tight = { replicas: 3, maxSurge: 1, maxUnavailable: 0 };
    assert.deepEqual(nextOldReplicas(tight, { replicas: 1, available: 0 }, [{ replicas: 3, available: 3 }]), [3]);
    assert.deepEqual(nextOldReplicas(tight, { replicas: 1, available: 1 }, [{ replicas: 3, available: 3 }]), [2]);
  });

  test('never exceeds the surge, always keeps enough pods available, and always completes', () => {
    const size = fc.integer({ min: 0, max: 12 });
    const sets = fc.array(size, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        size,
        fc.integer({ min: 0, max: 5 }),
        fc.integer({ min: 0, max: 5 }),
        sets,
        (replicas, maxSurge, maxUnavailable, olds) => {
          const limits = boundsOf(replicas, { rollingUpdate: { maxSurge, maxUnavailable } });
          let old: SetSize[] = olds.map((count) => ({ replicas: count, available: count }));
          let current: SetSize = { replicas: 0, available: 0 };
          const ceiling = Math.max(replicas + limits.maxSurge, total(old));
          const floor = Math.min(replicas - limits.maxUnavailable, total(old));
          for (let round = 0; round < 100; round++) {
            const grown = nextNewReplicas(limits, current.replicas, total(old));
            current = { replicas: grown, available: Math.min(current.available, grown) };
            old = nextOldReplicas(limits, current, old).map((count) => ({ replicas: count, available: count }));
            assert.ok(current.replicas + total(old) <= ceiling);
            assert.ok(current.available + total(old) >= floor);
            current = { replicas: grown, available: grown };
          }
          assert.equal(current.replicas, replicas);
          assert.equal(total(old), 0);
        },
      ),
    );
  });
});

function total(sets: readonly SetSize[]): number {
  return sets.reduce((all, { replicas }) => all + replicas, 0);
}
