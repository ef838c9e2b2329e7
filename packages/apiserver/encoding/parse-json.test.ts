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

test('the maximum nesting depth is 10,000', () => {
  assert.equal(parseJson(nested(10_000)).hasDuplicates, false);
  assert.throws(() => parseJson(nested(10_001)), { message: "invalid character '[' exceeded max depth" });
});
