// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withinLimit } from './warning-limit.ts';

test('warnings that fit are told as they are, but for those that no header can hold', () => {
  assert.deepEqual(withinLimit(['a', '', 'two\nlines', 'x'.repeat(4000)]), ['a', 'x'.repeat(4000)]);
});

test('warnings that are too long together are cut, and the last are dropped', () => {
  const told = withinLimit(Array.from({ length: 30 }, (_, index) => `${index}${'🦊'.repeat(300)}`));
  assert.equal(told.length, 16);
  assert.ok(told.every((text) => Array.from(text).length === 256));
});
