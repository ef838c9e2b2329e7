// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import {
  closeCodes,
  maxPayload,
  opcodes,
  readWebSocketFrames,
  webSocketFrame,
  WebSocketError,
} from './web-socket-frames.ts';
import { writeTo } from './write-to.ts';

/** The server's end of a WebSocket after the handshake. */
export interface ServerWebSocket {
  /** The client's messages until it closes; must be read to the end. */
  messages(): AsyncGenerator<Buffer>;
  /** Resolves when the message is sent, or the client has disconnected. */
  send(message: Uint8Array): Promise<void>;
  /** Sends a close frame. */
  close(): Promise<void>;
}

/** The memory overhead of a buffered frame in bytes. */
const frameCost = 128;

/** Serves WebSocket on a connection: pings are answered, and a client that violates the protocol gets a close code. */
export function serverWebSocket(connection: Duplex): ServerWebSocket {
  const send = (opcode: number, payload: Uint8Array) => writeTo(connection, webSocketFrame(opcode, payload));
  const close = async (code: number) => {
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    await send(opcodes.close, payload);
    connection.end();
  };

  async function* messages(): AsyncGenerator<Buffer> {
    let parts: Buffer[] = [];
    let size = 0;
    for await (const { last, opcode, payload } of readWebSocketFrames(connection)) {
      if (opcode === opcodes.close) {
        await close(closeCodes.normal);
        return;
      }
      if (opcode === opcodes.ping) await send(opcodes.pong, payload);
      if (opcode >= opcodes.close) continue;
      parts.push(payload);
      // Includes the overhead, so that empty frames cannot accumulate without limit.
      size += frameCost + payload.length;
      if (size > maxPayload + frameCost) throw new WebSocketError(closeCodes.tooBig, 'too many frames for a message');
      if (!last) continue;
      yield Buffer.concat(parts);
      parts = [];
      size = 0;
    }
  }

  return {
    async *messages() {
      try {
        yield* messages();
      } catch (error) {
        if (error instanceof WebSocketError) await close(error.code);
      }
    },
    send: (message) => send(opcodes.binary, message),
    close: () => close(closeCodes.normal),
  };
}

/** The Sec-WebSocket-Accept value of a client's key. */
export function webSocketAccept(key: string): string {
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
}
