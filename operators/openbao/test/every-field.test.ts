// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { fieldExercise } from '@forge/simulation/fields/exercise-fields.ts';
import { isWithin } from '@forge/simulation/fields/schema-properties.ts';
import type { PreparedCluster } from '@forge/simulation/scenario/scenario.ts';
import { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { openbaoConditions } from '../conditions/condition-catalog.ts';
import { completeClusters } from './fields/complete-clusters.ts';
import { clusterForOpenBao, liveCluster } from './fields/live-cluster.ts';
import { neverAccepted, withoutAnyEffect } from './fields/without-effect.ts';

/** What can be said of a cluster that has no pod yet. */
const conditions = {
  ...openbaoConditions,
  conditions: openbaoConditions.conditions.filter(({ type }) => ['TLSReady', 'Degraded'].includes(type)),
};

const isListed = (place: string) => withoutAnyEffect.some((each) => isWithin(place, each));

describe('every field of a live OpenBaoCluster', () => {
  let from: PreparedCluster;
  const { exercise, unchanged, withoutEffect } = fieldExercise<OpenBaoCluster>(OpenBaoCluster, { conditions });

  before(async () => {
    from = await clusterForOpenBao();
  });

  for (const [name, cluster] of Object.entries(completeClusters)) {
    test(`can be changed, removed and set beyond its bounds, and set back: ${name}`, async () => {
      await using live = await liveCluster(from, cluster);
      assert.deepEqual(await exercise(live), []);
    });
  }

  test('was changed from a value that works', () => {
    const unexpected = unchanged().filter((place) => !neverAccepted.includes(place));
    assert.deepEqual(unexpected, [], 'add them to test/fields/complete-clusters.ts');
  });

  test('changes an object or is explained, or is listed as without effect', () => {
    const found = withoutEffect();
    assert.deepEqual(
      found.filter((place) => !isListed(place)),
      [],
    );
    const outdated = withoutAnyEffect.filter((each) => !found.includes(each));
    assert.deepEqual(outdated, [], 'remove them from test/fields/without-effect.ts');
  });
});
