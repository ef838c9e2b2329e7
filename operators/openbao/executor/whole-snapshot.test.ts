// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { packed, snapshotFiles } from '../test/executor/snapshots.ts';
import { wholeSnapshot } from './whole-snapshot.ts';

const external = <T>(work: Promise<T>) => work;

/** The bytes in pieces of these lengths, over and over. */
async function* pieces(bytes: Buffer, lengths: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? bytes.length;
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

/** What arrives behind it, or why that ended early. */
async function passed(bytes: Buffer, lengths: readonly number[] = [1000]) {
  const snapshot = wholeSnapshot(pieces(bytes, lengths), external);
  const text = await Array.fromAsync(snapshot.content).then(
    (all) => (Buffer.concat(all).equals(bytes) ? 'whole' : 'changed'),
    (error: unknown) => String(error),
  );
  assert.equal(snapshot.isWhole, text === 'whole');
  assert.equal(snapshot.failure === undefined, text === 'whole');
  return text;
}

const without = (name: string) => snapshotFiles.filter((file) => file.name !== name);

describe('a snapshot that passes', () => {
  const length = fc.integer({ min: 1, max: 5000 });

  test('arrives as it was sent, in whatever pieces, also with files whose sizes need more digits', async () => {
    const sizes = fc.constantFrom('octal' as const, 'binary' as const, 'extended' as const);
    const property = fc.asyncProperty(
      fc.array(fc.record({ content: fc.uint8Array({ maxLength: 3000 }), size: sizes }), { maxLength: 4 }),
      fc.array(length, { minLength: 1, maxLength: 5 }),
      async (others, lengths) => {
        const more = others.map((file, index) => ({ ...file, name: `file-${index}` }));
        assert.equal(await passed(packed([...more, ...snapshotFiles]), lengths), 'whole');
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });

  test('is not whole wherever it is cut', async () => {
    const whole = packed(snapshotFiles);
    const property = fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), length, async (end, piece) => {
      assert.match(await passed(whole.subarray(0, end), [piece]), /the snapshot is (damaged|not whole)/);
    });
    await fc.assert(property, { numRuns: 40 });
  });

  test('is not whole without its seal, or with an empty one, or with one that is but part of another file', async () => {
    const isNot = /^Error: the snapshot is not whole: it ends without SHA256SUMS\.sealed$/;
    assert.match(await passed(packed(without('SHA256SUMS.sealed'))), isNot);
    const empty = { name: 'SHA256SUMS.sealed', content: Buffer.alloc(0) };
    assert.match(await passed(packed([...without('SHA256SUMS.sealed'), empty])), isNot);
    const hidden = { name: 'inner.tar', content: gunzipSync(packed(snapshotFiles)) };
    assert.match(await passed(packed([...without('SHA256SUMS.sealed'), hidden])), isNot);
  });

  test('is damaged when it is something else, or when a byte has changed', async () => {
    assert.match(
      await passed(Buffer.from('{"errors":["something"]}')),
      /the snapshot is damaged: incorrect header check/,
    );
    const changed = packed(snapshotFiles);
    changed.writeUInt8((changed.at(20_000) ?? 0) ^ 1, 20_000);
    assert.match(await passed(changed), /the snapshot is damaged: incorrect data check/);
  });

  test('stops its source when its reader stops, which is no failure of its own', async () => {
    let isClosed = false;
    async function* endless(): AsyncGenerator<Buffer> {
      try {
        yield packed(snapshotFiles).subarray(0, 1000);
        yield Buffer.alloc(0);
      } finally {
        isClosed = true;
      }
    }
    const snapshot = wholeSnapshot(endless(), external);
    for await (const chunk of snapshot.content) {
      assert.equal(chunk.length, 1000);
      break;
    }
    assert.deepEqual([isClosed, snapshot.failure, snapshot.isWhole], [true, undefined, false]);

    const streamed = wholeSnapshot(endless(), external);
    const stream = Readable.from(streamed.content);
    await once(stream, 'readable');
    stream.destroy(new Error('the reader has failed'));
    await assert.rejects(finished(stream), /the reader has failed/);
    assert.equal(streamed.failure, undefined);
  });
});
