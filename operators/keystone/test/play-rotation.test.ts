// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rotated } from './play-rotation.ts';

test('a rotation makes the staged key primary, stages a new one and drops the oldest beyond the limit', () => {
  const keys = { 0: 'next', 1: 'old', 2: 'primary' };
  const { 0: fresh, ...rest } = rotated(keys, 3);
  assert.deepEqual(rest, { 2: 'primary', 3: 'next' });
  assert.equal(Buffer.from(fresh ?? '', 'base64url').length, 32);
  assert.equal(fresh?.length, 44);
  const again = rotated({ 0: fresh, ...rest }, 3);
  assert.deepEqual(Object.keys(again), ['0', '3', '4']);
  assert.equal(again[4], fresh);
  assert.notEqual(again[0], fresh);
});
