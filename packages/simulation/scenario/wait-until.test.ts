// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import type { ClusterState } from './cluster-state.ts';
import { waitUntil } from './wait-until.ts';

test('a moment that needs what is held back from several processes comes when all of it is delivered', async () => {
  const clock = virtualClock();
  const held = new Set(['operator', 'dependency']);
  const processes = [...held].map((name) => ({ release: () => held.delete(name) }));
  let came: boolean | undefined;
  const waits = waitUntil({ state: {} as ClusterState, clock, processes }, () => held.size === 0);
  void waits.then(() => (came = held.size === 0));
  await clock.advance(minutes(1));
  assert.equal(held.size, 2, 'it may come by itself');
  await clock.advance(minutes(5));
  assert.equal(came, true);
});
