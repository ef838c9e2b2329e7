// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { byteReader } from './byte-reader.ts';

describe('a byte reader', () => {
  test('returns exact lengths, however the stream is chunked', async () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 5 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(pieces, fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 20 }), async (chunks, counts) => {
        const whole = Buffer.concat(chunks);
        const read = byteReader(Readable.from(chunks));
        let at = 0;
        for (const count of counts) {
          const expected = at + count > whole.length ? undefined : whole.subarray(at, at + count);
          assert.deepEqual(await read(count), expected);
          if (expected === undefined) return;
          at += count;
        }
      }),
    );
  });
});
