// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { totalmem } from 'node:os';
import { test } from 'node:test';
import { sizeOf } from './pod-storage.ts';

const mebibyte = 1024 * 1024;

test('an emptyDir in memory has the size of its limit; another can exceed it a little, and is evicted then', () => {
  assert.equal(sizeOf({ medium: 'Memory', sizeLimit: '8Mi' }), 8 * mebibyte);
  assert.equal(sizeOf({ sizeLimit: '8Mi' }), 9 * mebibyte);
  assert.equal(sizeOf({ sizeLimit: '100Mi' }), 110 * mebibyte);
});

test('an emptyDir without a limit has a quarter of the memory', () => {
  assert.equal(sizeOf({}), Math.floor(totalmem() / 4));
  assert.equal(sizeOf({ medium: 'Memory', sizeLimit: '0' }), Math.floor(totalmem() / 4));
});
