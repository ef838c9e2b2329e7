// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addressPool } from './address-pool.ts';

describe('the addresses of pods', () => {
  test('are reused as late as possible: clients may still have connections to a released one', () => {
    const pool = addressPool(3);
    const first = pool.take();
    pool.free(first);
    assert.deepEqual([first, pool.take(), pool.take(), pool.take()], ['10.244.0.2', '10.244.0.3', '10.244.0.4', first]);
  });

  test('are never allocated twice, and when all are in use, there is an error until one is released', () => {
    const pool = addressPool(300);
    const all = Array.from({ length: 300 }, () => pool.take());
    assert.equal(new Set(all).size, 300);
    assert.throws(() => pool.take(), /All 300 pod addresses of the node are in use: delete some pods/);
    pool.free('10.244.1.7');
    assert.equal(pool.take(), '10.244.1.7');
    assert.throws(() => pool.take(), /All 300/);
  });
});
