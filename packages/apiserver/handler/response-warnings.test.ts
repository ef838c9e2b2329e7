// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ResponseWarnings } from './response-warnings.ts';

function observed(...texts: readonly string[]): string[] {
  const warnings = new ResponseWarnings();
  for (const text of texts) warnings.add(text);
  return warnings.list();
}

test('warnings that fit are sent once, except those that are invalid in headers', () => {
  assert.deepEqual(observed('a', '', 'two\nlines', 'a', 'x'.repeat(4000)), ['a', 'x'.repeat(4000)]);
});

test('warnings whose total length is too large are truncated, and the last are dropped', () => {
  const cut = observed(...Array.from({ length: 30 }, (_, index) => `${index}${'🦊'.repeat(300)}`));
  assert.equal(cut.length, 16);
  assert.ok(cut.every((text) => Array.from(text).length === 256));
});

test('a warning that just fits is sent completely, and the next one is dropped', () => {
  const full = Array.from({ length: 16 }, (_, index) => `${index % 10}`.repeat(256 - (index > 9 ? 1 : 0)));
  assert.deepEqual(observed(...full, 'z'.repeat(6), 'one more'), [...full, 'z'.repeat(6)]);
});
