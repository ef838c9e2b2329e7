// SPDX-License-Identifier: Apache-2.0
import { constants, createDeflate } from 'node:zlib';
import { lengthPrefixed, spdyDictionary } from '../streaming/spdy-dictionary.ts';
import { controls, spdyControl } from '../streaming/spdy-frames.ts';
import { webSocketFrame } from '../streaming/web-socket-frames.ts';

const mask = Buffer.from([7, 77, 177, 0]);

/** A masked frame, as WebSocket clients send it. */
export function maskedFrame(opcode: number, payload: Uint8Array): Buffer {
  const plain = webSocketFrame(opcode, payload);
  const head = plain.subarray(0, plain.length - payload.length);
  head[1]! |= 0x80;
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ mask[index & 3]!)]);
}

/** Encodes the frame with which a SPDY client opens a stream with these headers. */
export function streamOpener(): (id: number, headers: Record<string, string>) => Promise<Buffer> {
  const deflate = createDeflate({ dictionary: spdyDictionary() });
  const compressed: Buffer[] = [];
  deflate.on('data', (chunk: Buffer) => compressed.push(chunk));
  return async (id, headers) => {
    const words = Object.entries(headers);
    deflate.write(Buffer.concat([number(words.length), ...words.flat().map(lengthPrefixed)]));
    await new Promise<void>((resolve) => deflate.flush(constants.Z_SYNC_FLUSH, resolve));
    const noPriority = Buffer.alloc(2);
    const block = Buffer.concat(compressed.splice(0));
    return spdyControl(controls.openStream, Buffer.concat([number(id), number(0), noPriority, block]));
  };
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
