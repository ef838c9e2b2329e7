// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { virtualClock } from '@forge/runtime/testing/virtual-clock.ts';
import { minutes, seconds } from '@forge/runtime/time/duration.ts';
import { correctionLimit } from './correction-limit.ts';

/** A limit of which a key has made use for its ten corrections at once. */
function exhausted() {
  const clock = virtualClock();
  const limit = correctionLimit(clock);
  for (let count = 0; count < 10; count += 1) assert.equal(limit('a', 'same'), 0);
  return { clock, limit };
}

describe('the rate limit of corrections', () => {
  test('allows ten at once, then with delays that double up to a minute', async () => {
    const { clock, limit } = exhausted();
    const rests: number[] = [];
    for (let count = 0; count < 8; count += 1) {
      const rest = limit('a', 'same');
      rests.push(rest / 1000);
      await clock.advance(rest);
      assert.equal(limit('a', 'same'), 0);
    }
    assert.deepEqual(rests, [1, 2, 4, 8, 16, 32, 60, 60]);
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
