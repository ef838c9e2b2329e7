// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonDiff } from './json-diff.ts';
import { jsonPatch } from './json-patch.ts';

test('a diff contains the fields that were added, removed and replaced, and nothing else', () => {
  const before = { spec: { a: 1, 'x/y~z': 1, same: { deep: [1, 2] }, list: [1, 2] } };
  const after = { spec: { same: { deep: [1, 2] }, list: [1], a: 2, b: { c: 1 } } };
  assert.deepEqual(jsonDiff(before, after), [
    { op: 'remove', path: '/spec/x~1y~0z' },
    { op: 'replace', path: '/spec/list', value: [1] },
    { op: 'replace', path: '/spec/a', value: 2 },
    { op: 'add', path: '/spec/b', value: { c: 1 } },
  ]);
  assert.deepEqual(jsonDiff(after, after), []);
});

test('applying a diff gives the other document', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
      assert.deepEqual(jsonPatch(before, jsonDiff(before, after)), after);
    }),
  );
});
