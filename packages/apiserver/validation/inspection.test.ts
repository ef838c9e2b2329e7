// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Inspection } from './inspection.ts';

test('errors beyond those that are reported are not formatted', () => {
  let formatted = 0;
  const value = { toJSON: () => (formatted += 1) };
  const at = new Inspection();
  for (let index = 0; index < 1000; index += 1) at.invalid(value, 'must not be');
  assert.equal(formatted, 101);
  assert.ok(at.isFull);
});

test('errors that repeat a long list end when their text is too long', () => {
  const list = Array.from({ length: 20_000 }, (_, index) => `a${index}`);
  const at = new Inspection();
  for (const _ of list) at.invalid(list, 'must not be');
  assert.ok(at.isFull);
  assert.ok(at.errors.length < 10, `${at.errors.length} errors`);
});
