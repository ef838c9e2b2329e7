// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { httpServer } from '@forge/testing/programs/loopback-server.ts';
import { seconds } from '../environment/duration.ts';
import { virtualClock } from '../environment/virtual-clock.ts';
import { httpClient, type HttpRequest } from './http-client.ts';
import { HttpError } from './http-error.ts';

const chunk = Buffer.alloc(64 * 1024, 'x');

/** Chunks, and how many of them were taken. */
function chunks(count: number): AsyncIterable<Uint8Array> & { taken: number } {
  return {
    taken: 0,
    async *[Symbol.asyncIterator]() {
      while (this.taken < count) {
        this.taken += 1;
        yield chunk;
      }
    },
  };
}

async function kindOf(response: Promise<unknown>): Promise<string> {
  const error: unknown = await response
    .then(() => assert.fail('there was a response'))
    .catch((reason: unknown) => reason);
  if (!(error instanceof HttpError)) throw error;
  return error.failure.kind;
}

async function* failing(): AsyncGenerator<Uint8Array> {
  yield chunk;
  throw new Error('the disk is gone');
}

async function* stuck(): AsyncGenerator<Uint8Array> {
  yield chunk;
  await new Promise(() => undefined);
}

describe('a streamed request body', () => {
  const clock = virtualClock();
  const client = httpClient({ clock });
  const { signal } = new AbortController();
  const put = (url: string, stream: AsyncIterable<Uint8Array>, maxBytes: number): HttpRequest => {
    return { method: 'PUT', url, body: { stream, maxBytes }, deadline: seconds(60), signal };
  };

  test('is sent chunk by chunk, and the response body is streamed back', async () => {
    await using server = await httpServer(async (request, response) => {
      const received = await Array.fromAsync(request as AsyncIterable<Buffer>);
      for (const each of received) response.write(each);
      response.end();
    });
    const bytes = 100 * chunk.byteLength;
    const { body } = await client.stream({ ...put(server.url, chunks(100), bytes), maxResponseBytes: bytes });
    let received = 0;
    for await (const each of body) received += each.byteLength;
    assert.equal(received, bytes);
  });

  test('is sent no faster than the server reads it', async () => {
    await using server = await httpServer(() => undefined);
    const source = chunks(10_000);
    const controller = new AbortController();
    const response = kindOf(client.send({ ...put(server.url, source, Infinity), signal: controller.signal }));
    for (let taken = -1; taken < source.taken;) {
      taken = source.taken;
      for (let turn = 0; turn < 50; turn += 1) await setImmediate();
    }
    assert.ok(source.taken > 0 && source.taken < 10_000, `${source.taken} chunks were taken`);
    controller.abort();
    assert.equal(await response, 'aborted');
  });

  test('is aborted where it exceeds its limit', async () => {
    await using server = await httpServer((request) => void request.resume());
    const source = chunks(100);
    assert.equal(await kindOf(client.send(put(server.url, source, 10 * chunk.byteLength))), 'body-too-large');
    assert.equal(source.taken, 11);
    while (server.connections.size > 0) await setImmediate();
  });

  test('ends when the server answers before its end', async () => {
    await using server = await httpServer((_, response) => response.writeHead(413).end('enough'));
    const source = chunks(100_000);
    const { status, body } = await client.send(put(server.url, source, Infinity));
    assert.deepEqual([status, body.toString()], [413, 'enough']);
    assert.ok(source.taken < 100_000);
  });

  test('that fails on our side fails the request', async () => {
    await using server = await httpServer((request) => void request.resume());
    await assert.rejects(client.send(put(server.url, failing(), Infinity)), /cannot be sent: the disk is gone/);
  });

  test('that never comes is bounded by the deadline', async () => {
    const arrived = Promise.withResolvers<void>();
    await using server = await httpServer(() => arrived.resolve());
    const response = kindOf(client.send(put(server.url, stuck(), Infinity)));
    await arrived.promise;
    await clock.advance(seconds(60));
    assert.equal(await response, 'timeout');
  });
});
