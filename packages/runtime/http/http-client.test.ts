// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { httpServer, tcpServer } from '@forge/testing/programs/loopback-server.ts';
import { seconds } from '../environment/duration.ts';
import { virtualClock, type VirtualClock } from '../environment/virtual-clock.ts';
import { SecretValue } from '../secrets/secret-value.ts';
import { tcpDial } from './dial.ts';
import { httpClient, type HttpRequest } from './http-client.ts';
import { HttpError, type HttpFailure } from './http-error.ts';

const deadline = seconds(10);
const { signal } = new AbortController();
const limits = { deadline, signal };
const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({ method: 'GET', url, ...limits, ...more });

async function failureOf(response: Promise<unknown>): Promise<HttpFailure> {
  const error: unknown = await response.then(
    () => assert.fail('there was a response'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof HttpError)) throw error;
  return error.failure;
}

/** The result of a request whose deadline passes while the server is in this state. */
async function failureAfterDeadline(
  clock: VirtualClock,
  response: Promise<unknown>,
  state: Promise<unknown>,
): Promise<HttpFailure> {
  const failure = failureOf(response);
  await state;
  await clock.advance(deadline);
  return await failure;
}

const timeout = (phase: 'connect' | 'tls' | 'headers' | 'body'): HttpFailure => ({
  kind: 'timeout',
  phase,
  seconds: 10,
});

async function textOf(message: IncomingMessage): Promise<string> {
  return Buffer.concat(await Array.fromAsync(message as AsyncIterable<Buffer>)).toString();
}

describe('an HTTP client', () => {
  test('sends method, path, headers and body, and reads the response', async () => {
    await using server = await httpServer(async (request, response) => {
      const { method, url, headers } = request;
      const seen = { method, url, token: headers['x-token'], host: headers.host, body: await textOf(request) };
      response.writeHead(201, { 'x-answer': 'yes' }).end(JSON.stringify(seen));
    });
    const headers = { 'x-token': new SecretValue('s3cret') };
    const request = { method: 'PUT', url: `${server.url}/a?b=c`, headers, body: '{"x":"ü"}', ...limits };
    const { status, headers: answered, body } = await httpClient({ clock: virtualClock() }).send(request);
    assert.equal(status, 201);
    assert.equal(answered['x-answer'], 'yes');
    assert.deepEqual(JSON.parse(body.toString()), {
      method: 'PUT',
      url: '/a?b=c',
      token: 's3cret',
      host: `127.0.0.1:${server.port}`,
      body: '{"x":"ü"}',
    });
  });

  test('sends methods that HTTP does not define', async () => {
    await using server = await tcpServer((socket) => {
      socket.once('data', (data) => {
        const [line = ''] = data.toString().split('\r\n');
        socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${line.length}\r\n\r\n${line}`);
      });
    });
    const { body } = await httpClient({ clock: virtualClock() }).send({
      ...get(`${server.url}/v1/kv`),
      method: 'LIST',
    });
    assert.equal(body.toString(), 'LIST /v1/kv HTTP/1.1');
  });

  test('has a response for any status', async () => {
    await using server = await httpServer(({ url = '' }, response) => response.writeHead(Number(url.slice(1))).end());
    const client = httpClient({ clock: virtualClock() });
    for (const status of [204, 307, 404, 429, 472, 473, 501, 503]) {
      assert.equal((await client.send(get(`${server.url}/${status}`))).status, status);
    }
  });

  test('keeps no connection and no timer after a response', async () => {
    await using server = await httpServer((_, response) => response.end('x'));
    let timers = 0;
    const clock = virtualClock();
    const counting = {
      ...clock,
      after: () => {
        timers += 1;
        return () => (timers -= 1);
      },
    };
    await httpClient({ clock: counting }).send(get(server.url));
    while (server.connections.size > 0) await setImmediate();
    assert.equal(timers, 0);
  });

  test('times out while the name is being resolved', async () => {
    const clock = virtualClock();
    const asked = Promise.withResolvers<void>();
    const dial = tcpDial(() => asked.resolve());
    const response = httpClient({ clock, dial }).send(get('http://never.example/'));
    assert.deepEqual(await failureAfterDeadline(clock, response, asked.promise), timeout('connect'));
  });

  test('times out while somebody else dials, and closes the connection that comes too late', async () => {
    await using server = await tcpServer(() => undefined);
    const clock = virtualClock();
    const dialled = Promise.withResolvers<void>();
    const connected = tcpDial()('127.0.0.1', server.port, signal);
    const dial = async () => {
      await dialled.promise;
      return await connected;
    };
    const response = httpClient({ clock, dial }).send(get(server.url));
    assert.deepEqual(await failureAfterDeadline(clock, response, connected), timeout('connect'));
    dialled.resolve();
    await setImmediate();
    assert.ok((await connected).destroyed);
  });

  test('times out while the server does not answer the TLS handshake', async () => {
    const arrived = Promise.withResolvers<void>();
    await using server = await tcpServer((socket) => socket.once('data', () => arrived.resolve()));
    const clock = virtualClock();
    const response = httpClient({ clock }).send(get(`https://127.0.0.1:${server.port}`));
    assert.deepEqual(await failureAfterDeadline(clock, response, arrived.promise), timeout('tls'));
    while (server.connections.size > 0) {
      for (const connection of server.connections) connection.end();
      await setImmediate();
    }
  });

  test('times out while no headers arrive', async () => {
    const arrived = Promise.withResolvers<void>();
    await using server = await tcpServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
      socket.once('data', () => arrived.resolve());
    });
    const clock = virtualClock();
    const response = httpClient({ clock }).send(get(server.url));
    assert.deepEqual(await failureAfterDeadline(clock, response, arrived.promise), timeout('headers'));
  });

  test('times out although the body never ends', async () => {
    await using server = await httpServer(async (_, response) => {
      while (!response.destroyed) {
        response.write('x');
        await setImmediate();
      }
    });
    const clock = virtualClock();
    const { body } = await httpClient({ clock }).stream(get(server.url));
    const bytes = body[Symbol.asyncIterator]();
    await bytes.next();
    const rest = (async () => {
      while ((await bytes.next()).done !== true);
    })();
    assert.deepEqual(await failureAfterDeadline(clock, rest, Promise.resolve()), timeout('body'));
  });

  test('closes a streamed response that nobody has read by the deadline', async () => {
    await using server = await httpServer((_, response) => void response.write('x'));
    const clock = virtualClock();
    const { body } = await httpClient({ clock }).stream(get(server.url));
    await clock.advance(deadline);
    while (server.connections.size > 0) await setImmediate();
    assert.deepEqual(await failureOf(Array.fromAsync(body)), timeout('body'));
  });

  test('reads no more of an endless body than allowed', async () => {
    await using server = await httpServer(async (_, response) => {
      while (!response.destroyed) {
        if (response.write(Buffer.alloc(1000))) await setImmediate();
        else await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
      }
    });
    const client = httpClient({ clock: virtualClock() });
    const tooLarge = { kind: 'body-too-large', body: 'response', maxBytes: 5000 };
    assert.deepEqual(await failureOf(client.send(get(server.url, { maxResponseBytes: 5000 }))), tooLarge);
    while (server.connections.size > 0) await setImmediate();
  });

  test('is aborted by the caller at any time', async () => {
    await using server = await httpServer((_, response) => void response.write('x'));
    const client = httpClient({ clock: virtualClock() });
    const controller = new AbortController();
    const response = failureOf(client.send(get(server.url, { signal: controller.signal })));
    while (server.connections.size === 0) await setImmediate();
    controller.abort();
    assert.deepEqual(await response, { kind: 'aborted' });
    const again = client.send(get(server.url, { signal: controller.signal }));
    assert.deepEqual(await failureOf(again), { kind: 'aborted' });
  });

  test('reports what cannot be resolved or connected to', async () => {
    const clock = virtualClock();
    const notFound = Object.assign(new Error('getaddrinfo ENOTFOUND nowhere'), { code: 'ENOTFOUND' });
    const dial = tcpDial((_host, _options, callback) => callback(notFound, ''));
    const unresolved = httpClient({ clock, dial }).send(get('http://nowhere/'));
    assert.deepEqual(await failureOf(unresolved), { kind: 'not-resolvable', host: 'nowhere' });

    const server = await tcpServer(() => undefined);
    await server[Symbol.asyncDispose]();
    const refused = httpClient({ clock }).send(get(server.url));
    assert.deepEqual(await failureOf(refused), { kind: 'connect-failed', host: '127.0.0.1', port: server.port });
  });

  test('reports when the server closes the connection before the response is complete', async () => {
    const answers = [
      '',
      'HTTP/1.1 200 OK\r\n',
      'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc',
      'no HTTP at all\r\n\r\n',
    ];
    for (const answer of answers) {
      await using server = await tcpServer((socket) => socket.once('data', () => socket.end(answer)));
      const { kind } = await failureOf(httpClient({ clock: virtualClock() }).send(get(server.url)));
      assert.equal(kind, 'broken-response', answer);
    }
  });

  test('shows no secret in an error', async () => {
    await using server = await tcpServer((socket) => socket.once('data', () => socket.destroy()));
    const client = httpClient({ clock: virtualClock() });
    const headers = { 'x-vault-token': new SecretValue('s3cret') };
    for (const url of [
      `http://me:s3cret@127.0.0.1:${server.port}/v1?token=s3cret#s3cret`,
      'ftp://me:s3cret@x/?s3cret',
    ]) {
      await assert.rejects(client.send(get(url, { headers })), (error: Error) => {
        assert.doesNotMatch(inspect(error, { depth: 10, showHidden: true }), /s3cret/);
        return error.message.startsWith('GET ');
      });
    }
    const bad = { 'x-vault-token': new SecretValue('s3cret\n') };
    await assert.rejects(client.send(get(server.url, { headers: bad })), (error: Error) => {
      return error instanceof HttpError && error.failure.kind === 'not-sendable' && !inspect(error).includes('s3cret');
    });
  });
});
