// SPDX-License-Identifier: Apache-2.0
import { byteReader } from './byte-reader.ts';

/** The supported control frames. */
export const controls = { openStream: 1, reply: 2, reset: 3, ping: 6 } as const;

/** One frame of SPDY/3.1: stream data or control. */
export type SpdyFrame =
  | { type: 'data'; stream: number; last: boolean; payload: Buffer }
  | { type: 'control'; control: number; last: boolean; payload: Buffer };

const version = 3;
const lastFlag = 0x01;
const longest = { data: 1024 * 1024, control: 16 * 1024 };

/** The frames of a connection until it ends; throws on invalid or oversized ones. */
export async function* readSpdyFrames(source: AsyncIterable<Uint8Array>): AsyncGenerator<SpdyFrame> {
  const read = byteReader(source);
  for (;;) {
    const head = await read(8);
    if (head === undefined) return;
    const type = head.readUInt32BE() >>> 31 === 1 ? 'control' : 'data';
    if (type === 'control' && (head.readUInt16BE() & 0x7fff) !== version) throw new Error('not SPDY/3.1');
    const length = head.readUIntBE(5, 3);
    if (length > longest[type]) throw new Error(`a ${type} frame of ${length} bytes is too long`);
    const payload = await read(length);
    if (payload === undefined) return;
    const last = (head.readUInt8(4) & lastFlag) !== 0;
    if (type === 'data') yield { type, stream: head.readUInt32BE(), last, payload };
    else yield { type, control: head.readUInt16BE(2), last, payload };
  }
}

/** A data frame; `last` ends the stream. */
export function spdyData(stream: number, payload: Uint8Array, last = false): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(stream);
  head.writeUInt8(last ? lastFlag : 0, 4);
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}

/** A control frame. */
export function spdyControl(control: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16BE(0x8000 | version);
  head.writeUInt16BE(control, 2);
  head.writeUIntBE(payload.length, 5, 3);
  return Buffer.concat([head, payload]);
}
