// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { duplicateFields } from './duplicate-fields.ts';

test('duplicate fields are found anywhere, and reported once', () => {
  const text = String.raw`{"a":1,"b":{"c":[{"d":"{\"x\":1,\"x\":2}","e":{},"d":3}],"c":[]},"\u0061":2,"a":3}`;
  assert.deepEqual(duplicateFields(text), ['b.c[0].d', 'b.c', 'a']);
});

test('the output of JSON.stringify has no duplicates', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => assert.deepEqual(duplicateFields(JSON.stringify(value)), [])));
});

test('the first hundred duplicate fields are reported', () => {
  const fields = Array.from({ length: 101 }, (_, index) => `"a${index}":1`).join();
  const duplicates = duplicateFields(`{${fields},${fields}}`);
  assert.deepEqual([duplicates.length, duplicates.at(-1)], [100, 'a99']);
});
