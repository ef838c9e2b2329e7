// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '@forge/runtime/testing/virtual-clock.ts';
import { minutes, seconds } from '@forge/runtime/time/duration.ts';
import { watchTimer } from './watch-timer.ts';

test('a process has watched a resource for a minute when its own timers say so, however far the clock jumps', async () => {
  const clock = virtualClock();
  let jumped = 0;
  const jumping = { ...clock, now: () => clock.now() + jumped };
  const isWatched = watchTimer(seconds(60));
  assert.equal(isWatched('a', jumping), false);
  jumped = minutes(60);
  await clock.advance(seconds(59));
  assert.equal(isWatched('a', jumping), false);
  assert.equal(isWatched('b', jumping), false);
  await clock.advance(seconds(1));
  assert.equal(isWatched('a', jumping), true);
  assert.equal(isWatched('b', jumping), false);
});
