// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { fieldExercise } from '@forge/simulation/fields/exercise-fields.ts';
import type { PreparedCluster } from '@forge/simulation/scenario/scenario.ts';
import { Keystone } from '../api/keystone.ts';
import { keystoneConditions } from '../conditions/condition-catalog.ts';
import { completeKeystones } from './fields/complete-keystones.ts';
import { clusterForKeystones, liveKeystone } from './fields/live-keystone.ts';

/** No Keystone works with these, so nothing below them can be changed. */
const neverWork = ['spec.topologySpreadConstraints[].labelSelector.matchExpressions', 'spec.resources.claims'];

describe('every field of a live Keystone', () => {
  let from: PreparedCluster;
  const { exercise, unchanged } = fieldExercise<Keystone>(Keystone, { conditions: keystoneConditions });

  before(async () => {
    from = await clusterForKeystones();
  });

  for (const [mode, keystone] of Object.entries(completeKeystones)) {
    test(`can be changed, removed and set beyond its bounds, and set back: ${mode}`, async () => {
      await using live = await liveKeystone(from, keystone);
      assert.deepEqual(await exercise(live), []);
    });
  }

  test('was changed from a value that works', () => {
    const unexpected = unchanged().filter((place) => !neverWork.some((whole) => place.startsWith(whole)));
    assert.deepEqual(unexpected, [], 'add them to test/fields/complete-keystones.ts');
  });
});
