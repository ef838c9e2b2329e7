// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from './duration.ts';
import { hasElapsed } from './has-elapsed.ts';

test('a delay has elapsed once it is over, not before, and not for a clock that is a little ahead', () => {
  const now = minutes(60);
  assert.equal(hasElapsed(now - seconds(10), seconds(10), now), true);
  assert.equal(hasElapsed(now - seconds(9), seconds(10), now), false);
  assert.equal(hasElapsed(now + seconds(59), seconds(10), now), false);
});

test('a time far in the future does not delay anything: the clock was set back', () => {
  assert.equal(hasElapsed(minutes(120), seconds(10), minutes(60)), true);
});
