// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { duplexPair, PassThrough, Readable, type Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import type { StreamedCommand } from '../exec/streamed-command.ts';
import { maskedFrame, streamOpener } from '../test/client-frames.ts';
import { spdyStreams, webSocketStreams } from './command-streams.ts';
import { serveCommand } from './serve-command.ts';
import { serverWebSocket } from './server-web-socket.ts';
import { readSpdyFrames, spdyData } from './spdy-frames.ts';
import { opcodes } from './web-socket-frames.ts';

/** A command that repeats its input in capitals and then exits with 3, and a record of its calls. */
function upperCaseCommand() {
  const stdin = new PassThrough();
  const seen: { sizes: number[][]; killed: boolean } = { sizes: [], killed: false };
  const ended = Promise.withResolvers<number>();
  const shout = async function* () {
    yield (await text(stdin)).toUpperCase();
    ended.resolve(3);
  };
  const command: StreamedCommand = {
    stdin,
    stdout: Readable.from(shout(), { objectMode: false }),
    stderr: Readable.from([]),
    resize: (columns, rows) => void seen.sizes.push([columns, rows]),
    ended: ended.promise,
    kill() {
      seen.killed = true;
      ended.resolve(137);
      stdin.end();
    },
  };
  return { command, seen };
}

const exit3 =
  '{"metadata":{},"status":"Failure","message":"command terminated with non-zero exit code: exit status 3",' +
  '"reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"3"}]}}';

/** Payloads of a server's short WebSocket frames. */
async function* payloadsOf(client: Duplex): AsyncGenerator<Buffer> {
  const bytes = Buffer.concat(await client.toArray());
  for (let at = 0; at < bytes.length;) {
    const long = bytes[at + 1] === 126;
    const [start, length] = long ? [at + 4, bytes.readUInt16BE(at + 2)] : [at + 2, bytes[at + 1]!];
    yield bytes.subarray(start, (at = start + length));
  }
}

describe('a remote command', () => {
  test('uses channels of a WebSocket, each of which can be closed', async () => {
    const { command, seen } = upperCaseCommand();
    const [client, server] = duplexPair();
    const sendTo = (...bytes: (number | string)[]) =>
      client.write(
        maskedFrame(
          opcodes.binary,
          Buffer.concat(bytes.map((one) => Buffer.from(typeof one === 'string' ? one : [one]))),
        ),
      );
    const caller = webSocketStreams(serverWebSocket(server), ['stdin', 'stdout', 'stderr', 'error', 'resize']);
    const served = serveCommand(caller, command);
    sendTo(4, '{"Width":80,"Height":24}\n{"Width":0,"Height":24}');
    sendTo(4, '{"Width": no JSON}{}{"Height":25, "Width":81}');
    sendTo(0, 'he');
    sendTo(0, 'llo');
    sendTo(9, 'an unknown channel');
    sendTo(255, 0);
    await served;
    const [output, status] = await Array.fromAsync(payloadsOf(client), (payload) => payload.toString());
    assert.deepEqual([output, status], ['\u0001HELLO', `\u0003${exit3}`]);
    assert.deepEqual(seen.sizes, [
      [80, 24],
      [81, 25],
    ]);
  });

  test('uses streams of SPDY', async () => {
    const { command } = upperCaseCommand();
    const [client, server] = duplexPair();
    const open = streamOpener();
    for (const [index, streamtype] of ['error', 'stdin', 'stdout'].entries()) {
      client.write(await open(2 * index + 1, { streamtype }));
    }
    client.write(spdyData(3, Buffer.from('hello'), true));
    await serveCommand(await spdyStreams(server, ['error', 'stdin', 'stdout']), command);
    const received = new Map<number, string>();
    for await (const frame of readSpdyFrames(client)) {
      if (frame.type === 'data')
        received.set(frame.stream, (received.get(frame.stream) ?? '') + frame.payload.toString());
    }
    assert.deepEqual([received.get(5), received.get(1)], ['HELLO', exit3]);
  });

  test('closes the connection when it exits, even if the client sends more', async () => {
    const { command } = upperCaseCommand();
    const [client, server] = duplexPair();
    client.resume();
    const caller = webSocketStreams(serverWebSocket(server), ['stdin', 'error']);
    const notReading = { ...command, stdin: new PassThrough(), ended: Promise.resolve(0) };
    const more = maskedFrame(opcodes.binary, Buffer.concat([Buffer.from([0]), Buffer.alloc(100_000)]));
    client.write(more);
    client.end(more);
    await serveCommand(caller, notReading);
    await caller.gone;
  });

  test('is killed when the client disconnects', async () => {
    const reset = new Error('read ECONNRESET');
    for (const end of [(client: Duplex) => client.end(), (_: Duplex, server: Duplex) => server.destroy(reset)]) {
      const { command, seen } = upperCaseCommand();
      const [client, server] = duplexPair();
      client.resume();
      server.on('error', () => {});
      const served = serveCommand(webSocketStreams(serverWebSocket(server), ['stdin', 'stdout', 'error']), command);
      client.write(maskedFrame(opcodes.binary, Buffer.from('\0half a word')));
      end(client, server);
      await served;
      assert.ok(seen.killed);
    }
  });
});
