// SPDX-License-Identifier: Apache-2.0
import { createInflate } from 'node:zlib';
import { spdyDictionary } from './spdy-dictionary.ts';

/** Decodes header blocks in order; all blocks of a connection form one compressed stream. */
export type ReadHeaders = (block: Buffer) => Promise<ReadonlyMap<string, string>>;

/** Far above any block of the supported protocols. */
const maxBlock = 64 * 1024;

/** Decodes the header blocks of a client; names are in lower case, as in SPDY. */
export function spdyHeaderReader(): ReadHeaders {
  const inflate = createInflate({ dictionary: spdyDictionary() });
  const plain: Buffer[] = [];
  inflate.on('data', (chunk: Buffer) => plain.push(chunk));
  return async (block) => {
    await new Promise<void>((resolve, reject) => {
      inflate.once('error', reject);
      inflate.write(block, () => {
        inflate.off('error', reject);
        resolve();
      });
    });
    const unpacked = Buffer.concat(plain.splice(0));
    // A compressed block can expand to a thousand times its size.
    if (unpacked.length > maxBlock) throw new Error('a header block is too long');
    return headersOf(unpacked);
  };
}

function headersOf(block: Buffer): ReadonlyMap<string, string> {
  let at = 0;
  const number = (): number => block.readUInt32BE((at += 4) - 4);
  const text = (): string => {
    const length = number();
    return block.toString('utf8', at, (at += length));
  };
  return new Map(Array.from({ length: number() }, () => [text(), text()]));
}

/**
 * Encodes the header blocks of replies, which have no headers: a count of zero.
 *
 * Stored blocks of a zlib stream need no compressor, only its two-byte header before the first; an empty block after
 * each flushes it.
 */
export function emptyHeaderBlocks(): () => Buffer {
  let started = false;
  return () => {
    const header = started ? [] : [0x78, 0x01];
    started = true;
    return Buffer.from([...header, ...stored([0, 0, 0, 0]), ...stored([])]);
  };
}

function stored(bytes: readonly number[]): number[] {
  return [0x00, bytes.length, 0x00, 0xff - bytes.length, 0xff, ...bytes];
}
