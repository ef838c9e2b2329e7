// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '@forge/runtime/testing/virtual-clock.ts';
import { seconds } from '@forge/runtime/time/duration.ts';
import { watchTimer } from './watch-timer.ts';

test('a process has watched a resource for a minute when a minute has passed since it first saw that one', async () => {
  const clock = virtualClock();
  const isWatched = watchTimer(seconds(60));
  assert.equal(isWatched('a', clock), false);
  await clock.advance(seconds(59));
  assert.equal(isWatched('a', clock), false);
  assert.equal(isWatched('b', clock), false);
  await clock.advance(seconds(1));
  assert.equal(isWatched('a', clock), true);
  assert.equal(isWatched('b', clock), false);
});
