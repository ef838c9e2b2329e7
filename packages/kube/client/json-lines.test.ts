// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonLines } from './json-lines.ts';

async function decoded(chunks: Uint8Array[]): Promise<unknown[]> {
  async function* source(): AsyncGenerator<Uint8Array> {
    yield* chunks;
  }
  return Array.fromAsync(jsonLines(source()));
}

test('values are complete however the bytes are chunked', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue(), { maxLength: 4 }),
      fc.integer({ min: 1, max: 7 }),
      async (values, size) => {
        const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
        const count = Math.ceil(bytes.length / size);
        const chunks = Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
        assert.equal(JSON.stringify(await decoded(chunks)), JSON.stringify(values));
      },
    ),
  );
});

test('an incomplete last line is dropped', async () => {
  assert.deepEqual(await decoded([Buffer.from('{"a":1}\n{"b":')]), [{ a: 1 }]);
});

test('a line that is not JSON is an error', async () => {
  await assert.rejects(decoded([Buffer.from('{"a":1}\nno\n')]), {
    message: 'the server sent a line that is not JSON',
  });
});
