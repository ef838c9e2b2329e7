// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { duplexPair, Readable } from 'node:stream';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { maskedFrame } from '../test/client-frames.ts';
import { serverWebSocket, webSocketAccept } from './server-web-socket.ts';
import { maxPayload, opcodes, readWebSocketFrames, webSocketFrame } from './web-socket-frames.ts';

/** The messages that a server decodes from these bytes, and its replies. */
async function conversation(bytes: Uint8Array): Promise<{ messages: string[]; answer: Buffer }> {
  const [client, server] = duplexPair();
  client.end(bytes);
  const messages = await Array.fromAsync(serverWebSocket(server).messages(), (message) => message.toString());
  server.end();
  return { messages, answer: Buffer.concat(await client.toArray()) };
}

const payloads = (chunks: Uint8Array[]): Promise<string[]> =>
  Array.fromAsync(readWebSocketFrames(Readable.from(chunks)), ({ payload }) => payload.toString());

const close = (code: number) => webSocketFrame(opcodes.close, Buffer.from([code >> 8, code & 0xff]));

describe('a WebSocket', () => {
  test('answers the handshake as in RFC 6455', () => {
    assert.equal(webSocketAccept('dGhlIHNhbXBsZSBub25jZQ=='), 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
  });

  test('decodes the same frames however the bytes are chunked', async () => {
    const texts = ['', 'short', 'm'.repeat(126), 'l'.repeat(70_000)];
    const bytes = Buffer.concat(texts.map((text) => maskedFrame(opcodes.binary, Buffer.from(text))));
    const cuts = fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        const edges = [0, ...at.toSorted((a, b) => a - b), bytes.length];
        const chunks = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
        assert.deepEqual(await payloads(chunks), texts);
      }),
      { numRuns: 50 },
    );
    const short = bytes.subarray(0, -70_014);
    assert.deepEqual(await payloads(Array.from(short, (byte) => Buffer.from([byte]))), texts.slice(0, 3));
  });

  test('reassembles messages, answers pings in between, and closes when the client does', async () => {
    const first = maskedFrame(opcodes.binary, Buffer.from('in two '));
    first[0]! &= 0x7f;
    const frames = [
      first,
      maskedFrame(opcodes.ping, Buffer.from('?')),
      maskedFrame(opcodes.continuation, Buffer.from('parts')),
      maskedFrame(opcodes.close, Buffer.alloc(0)),
      maskedFrame(opcodes.binary, Buffer.from('too late')),
    ];
    const { messages, answer } = await conversation(Buffer.concat(frames));
    assert.deepEqual(messages, ['in two parts']);
    assert.deepEqual(answer, Buffer.concat([webSocketFrame(opcodes.pong, Buffer.from('?')), close(1000)]));
  });

  test('closes the connection of a client that violates the protocol, with the reason', async () => {
    assert.deepEqual((await conversation(webSocketFrame(opcodes.binary, Buffer.from('bare')))).answer, close(1002));
    const extended = maskedFrame(opcodes.binary, Buffer.alloc(0));
    extended[0]! |= 0x40;
    assert.deepEqual((await conversation(extended)).answer, close(1002));
    assert.deepEqual((await conversation(maskedFrame(opcodes.ping, Buffer.alloc(126)))).answer, close(1002));
    const huge = maskedFrame(opcodes.binary, Buffer.alloc(maxPayload + 1)).subarray(0, 20);
    assert.deepEqual((await conversation(huge)).answer, close(1009));
    const longest = maskedFrame(opcodes.binary, Buffer.alloc(maxPayload));
    assert.equal((await conversation(longest)).messages[0]?.length, maxPayload);
    const empty = maskedFrame(opcodes.continuation, Buffer.alloc(0));
    empty[0]! &= 0x7f;
    const endless = Buffer.concat(Array.from({ length: 10_000 }, () => empty));
    assert.deepEqual((await conversation(endless)).answer, close(1009));
  });
});
