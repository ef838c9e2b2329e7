// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { duplicateFields } from './duplicate-fields.ts';
import { parseJson } from './parse-json.ts';

test('hasDuplicates is true exactly when there are duplicate fields', () => {
  const name = fc.constantFrom('a', 'b', 'a:', '"{', '\\');
  const { text } = fc.letrec<{ text: string }>((tie) => ({
    text: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('1', 'null', '"x"', String.raw`"\\\":"`),
      fc.array(tie('text'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
      fc
        .array(fc.tuple(name, tie('text')), { maxLength: 3 })
        .map((fields) => `{${fields.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(',')}}`),
    ),
  }));
  fc.assert(
    fc.property(text, (sample) => {
      const { value, hasDuplicates } = parseJson(Buffer.from(sample));
      assert.deepEqual(value, JSON.parse(sample));
      assert.equal(hasDuplicates, duplicateFields(sample).length > 0, sample);
    }),
  );
});

function nested(depth: number): Buffer {
  return Buffer.from(`${'['.repeat(depth)}${']'.repeat(depth)}`);
}

function members(count: number): string {
  return `[${Array.from({ length: count }, () => '1').join()}]`;
}

test("a nesting depth over 10,000 causes Go's error, a depth over 500 an error that names the limit", () => {
  assert.equal(parseJson(nested(500)).hasDuplicates, false);
  assert.throws(() => parseJson(nested(501)), { code: 400, message: /limit is 500 levels/ });
  assert.throws(() => parseJson(nested(10_001)), { message: "invalid character '[' exceeded max depth" });
});

test('a list has at most 20,000 items, and a body 100,000 values', () => {
  assert.equal((parseJson(Buffer.from(members(20_000))).value as unknown[]).length, 20_000);
  assert.throws(() => parseJson(Buffer.from(members(20_001))), { code: 413, message: /limit is 20000 fields/ });
  const lists = (count: number): Buffer =>
    Buffer.from(`[${Array.from({ length: count }, () => members(9999)).join()}]`);
  assert.equal((parseJson(lists(9)).value as unknown[]).length, 9);
  assert.throws(() => parseJson(lists(11)), { code: 413, message: /limit is 100000 fields and items/ });
});
