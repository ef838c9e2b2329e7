// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { duplexPair, Readable, type Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { streamOpener } from '../test/client-frames.ts';
import { spdyDictionary } from './spdy-dictionary.ts';
import { controls, readSpdyFrames, spdyControl, spdyData, type SpdyFrame } from './spdy-frames.ts';
import { serveSpdy, type SpdyStream } from './spdy-session.ts';

/** A session, the client's end of the connection, and the streams as they are opened. */
function session(): { client: Duplex; opened: AsyncIterator<SpdyStream>; ended: Promise<void> } {
  const [client, server] = duplexPair();
  const streams = new Readable({ objectMode: true, read() {} });
  const ended = serveSpdy(server, (stream) => streams.push(stream)).finally(() => streams.push(null));
  return { client, opened: streams[Symbol.asyncIterator]() as AsyncIterator<SpdyStream>, ended };
}

describe('SPDY', () => {
  test('has the dictionary of SPDY/3', () => {
    assert.equal(deflateSync('', { dictionary: spdyDictionary() }).subarray(2, 6).toString('hex'), 'e3c6a7c2');
  });

  test('decodes the same frames however the bytes are chunked', async () => {
    const frames: SpdyFrame[] = [
      { type: 'control', control: controls.ping, last: false, payload: Buffer.from([0, 0, 0, 1]) },
      { type: 'data', stream: 3, last: false, payload: Buffer.from('some') },
      { type: 'data', stream: 0x7fffffff, last: true, payload: Buffer.alloc(0) },
    ];
    const bytes = Buffer.concat(
      frames.map((frame) =>
        frame.type === 'data'
          ? spdyData(frame.stream, frame.payload, frame.last)
          : spdyControl(frame.control, frame.payload),
      ),
    );
    for (let cut = 0; cut <= bytes.length; cut++) {
      const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)];
      assert.deepEqual(await Array.fromAsync(readSpdyFrames(Readable.from(chunks))), frames);
    }
  });

  test('closes a connection with invalid data', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 100 }), async (noise) => {
        const { client, ended } = session();
        client.on('error', () => {});
        client.end(noise);
        await ended.catch(() => {});
      }),
    );
  });

  test('closes a connection whose headers expand without limit', async () => {
    const { client, ended } = session();
    client.resume();
    client.write(await streamOpener()(1, { streamtype: 'x'.repeat(10_000_000) }));
    await assert.rejects(ended, /a header block is too long/);
  });

  test('closes a connection that opens too many streams', async () => {
    const { client, ended } = session();
    client.resume();
    client.on('error', () => {});
    const open = streamOpener();
    const openAll = async () => {
      for (let id = 1; !client.writableEnded && id < 3000; id += 2) client.write(await open(id, {}));
      client.end();
    };
    const opening = openAll();
    await assert.rejects(ended, /more than 1024 streams are open/);
    client.destroy();
    await opening;
  });

  test('opens streams with headers and independent halves', async () => {
    const { client, opened, ended } = session();
    const open = streamOpener();
    client.write(await open(1, { streamtype: 'error', port: '80' }));
    client.write(await open(3, { streamtype: 'data', port: '80' }));
    const [error, data] = [(await opened.next()).value as SpdyStream, (await opened.next()).value as SpdyStream];
    assert.deepEqual(
      [...error.headers, ...data.headers.keys()],
      [['streamtype', 'error'], ['port', '80'], 'streamtype', 'port'],
    );
    client.write(spdyData(3, Buffer.from('ask'), true));
    assert.equal(await text(data.stream), 'ask');
    data.stream.end('answer');

    const answers = readSpdyFrames(client);
    const next = async () => (await answers.next()).value as SpdyFrame;
    const replies = [await next(), await next()];
    assert.deepEqual(
      replies.map(({ payload }) => payload.readUInt32BE()),
      [1, 3],
    );
    assert.deepEqual(await next(), { type: 'data', stream: 3, last: false, payload: Buffer.from('answer') });
    assert.deepEqual(await next(), { type: 'data', stream: 3, last: true, payload: Buffer.alloc(0) });
    client.end();
    await ended;
    assert.ok(error.stream.destroyed);
  });

  test('sends and receives resets of streams', async () => {
    const { client, opened, ended } = session();
    const open = streamOpener();
    client.write(await open(1, {}));
    client.write(await open(3, {}));
    const [mine, theirs] = [(await opened.next()).value as SpdyStream, (await opened.next()).value as SpdyStream];
    mine.stream.destroy();
    client.write(spdyControl(controls.reset, Buffer.from([0, 0, 0, 3, 0, 0, 0, 5])));
    client.write(spdyControl(controls.ping, Buffer.from([0, 0, 0, 9])));
    client.end();
    await ended;
    assert.ok(theirs.stream.destroyed);
    const kinds = await Array.fromAsync(readSpdyFrames(client), (frame) => frame.type === 'control' && frame.control);
    assert.deepEqual(kinds.slice(0, 3), [controls.reply, controls.reply, controls.reset]);
    assert.ok(kinds.includes(controls.ping));
  });
});
