// SPDX-License-Identifier: Apache-2.0
import { byteReader, type ReadBytes } from './byte-reader.ts';

/** The opcodes of frames. */
export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** The close codes in use. */
export const closeCodes = { normal: 1000, protocolError: 1002, tooBig: 1009 } as const;

/** One frame of the WebSocket protocol. */
export interface WebSocketFrame {
  /** Whether it is the last of its message. */
  last: boolean;
  opcode: number;
  payload: Buffer;
}

/** A protocol violation of a client; the connection is closed with this code. */
export class WebSocketError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Far above any message of the supported protocols. */
export const maxPayload = 1024 * 1024;

/** The frames of a client until its connection ends. */
export async function* readWebSocketFrames(source: AsyncIterable<Uint8Array>): AsyncGenerator<WebSocketFrame> {
  const read = byteReader(source);
  for (;;) {
    const [first, second] = (await read(2)) ?? [];
    if (first === undefined || second === undefined) return;
    if ((first & 0x70) !== 0)
      throw new WebSocketError(closeCodes.protocolError, 'an extension that was not negotiated');
    if ((second & 0x80) === 0) throw new WebSocketError(closeCodes.protocolError, 'a frame of a client must be masked');
    const frame = { last: (first & 0x80) !== 0, opcode: first & 0x0f };
    const length = await readLength(read, second & 0x7f);
    if (length === undefined) return;
    checkLength(frame, length);
    const mask = await read(4);
    const payload = await read(length);
    if (mask === undefined || payload === undefined) return;
    yield { ...frame, payload: unmasked(payload, mask) };
  }
}

/** A server frame: unfragmented and unmasked. */
export function webSocketFrame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

async function readLength(read: ReadBytes, short: number): Promise<number | undefined> {
  if (short < 126) return short;
  const long = await read(short === 126 ? 2 : 8);
  return long && Number(short === 126 ? long.readUInt16BE() : long.readBigUInt64BE());
}

function checkLength({ last, opcode }: Omit<WebSocketFrame, 'payload'>, length: number): void {
  if (length > maxPayload) throw new WebSocketError(closeCodes.tooBig, `${length} bytes are too many for a message`);
  const isControl = opcode >= opcodes.close;
  if (isControl && (length > 125 || !last)) {
    throw new WebSocketError(closeCodes.protocolError, 'a control frame must be short and unfragmented');
  }
}

function unmasked(payload: Buffer, mask: Buffer): Buffer {
  const plain = Buffer.from(payload);
  for (let index = 0; index < plain.length; index++) plain[index]! ^= mask[index & 3]!;
  return plain;
}
