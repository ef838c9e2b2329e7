// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inSlices, slicesOf } from './slices.ts';

/** The lengths of the slices of this many items with this many bytes each. */
function lengths(items: number, bytes: number): number[] {
  return [...slicesOf(Array.from({ length: items }), () => bytes)].map(({ length }) => length);
}

test('a slice has at most 500 items, and ends with the one that brings it to 256 KiB', () => {
  assert.deepEqual(lengths(1001, 1), [500, 500, 1]);
  assert.deepEqual(lengths(5, 128 * 1024), [2, 2, 1]);
  assert.deepEqual(lengths(2, 1024 * 1024), [1, 1]);
});

test('others are served between two slices', async () => {
  const served: unknown[] = [];
  setImmediate(() => served.push('another'));
  for await (const { length } of inSlices(Array.from({ length: 1001 }), () => 1)) served.push(length);
  assert.deepEqual(served, [500, 'another', 500, 1]);
});
