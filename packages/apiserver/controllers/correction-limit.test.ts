// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { correctionLimit } from './correction-limit.ts';

/** A limit with a key that has used up its ten immediate corrections. */
function exhausted() {
  const clock = virtualClock();
  const limit = correctionLimit(clock);
  for (let count = 0; count < 10; count += 1) assert.equal(limit('a', 'same'), 0);
  return { clock, limit };
}

describe('the rate limit of corrections', () => {
  test('allows ten at once, then with delays that double up to a minute', async () => {
    const { clock, limit } = exhausted();
    const delays: number[] = [];
    for (let count = 0; count < 8; count += 1) {
      const delay = limit('a', 'same');
      delays.push(delay / 1000);
      await clock.advance(delay);
      assert.equal(limit('a', 'same'), 0);
    }
    assert.deepEqual(delays, [1, 2, 4, 8, 16, 32, 60, 60]);
  });

  test('applies per key and outcome', () => {
    const { limit } = exhausted();
    assert.equal(limit('a', 'same'), seconds(1));
    assert.equal(limit('b', 'same'), 0);
    assert.equal(limit('a', 'other'), 0);
  });

  test('resets after two minutes without a correction', async () => {
    const { clock, limit } = exhausted();
    await clock.advance(minutes(2));
    for (let count = 0; count < 10; count += 1) assert.equal(limit('a', 'same'), 0);
    assert.equal(limit('a', 'same'), seconds(1));
  });
});
