// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { systemRandom as random } from '@forge/runtime/environment/random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { tcpDial, type Dial } from '@forge/runtime/http/dial.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { tcpServer } from '@forge/testing/programs/loopback-server.ts';
import { apiAt } from '../test/api-address.ts';
import { keystoneApi, type Health } from './keystone-api.ts';

const timedOut: Health = { found: 'timeout' };

/** A check under way on a virtual clock. */
function checking(url: string, dial: Dial = tcpDial()) {
  const clock = virtualClock();
  const { signal } = new AbortController();
  let finished = false;
  const health = keystoneApi({ http: httpClient({ clock, dial }), clock, random })
    .health(apiAt(url), signal)
    .finally(() => (finished = true));
  return {
    clock,
    /** The result of the check after this many more seconds, and not before; `eachSecond` is called before each. */
    async findsAfter(count: number, eachSecond: () => void = () => {}): Promise<Health> {
      for (let second = 0; second < count; second++) {
        assert.equal(finished, false);
        eachSecond();
        await clock.advance(seconds(1));
      }
      return await health;
    },
  };
}

/** A server that says nothing by itself. */
async function silentServer() {
  const connections: Socket[] = [];
  let accepted = Promise.withResolvers<void>();
  const server = await tcpServer((socket) => {
    connections.push(socket);
    accepted.resolve();
  });
  return {
    url: `${server.url}/v3`,
    /** The connection of the next request. */
    async request(): Promise<Socket> {
      if (connections.length === 0) await accepted.promise;
      accepted = Promise.withResolvers();
      const socket = connections.shift();
      assert.ok(socket);
      await once(socket, 'data');
      return socket;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

describe('a health check ends ten seconds after it began', () => {
  test('when the server accepts and never answers', async () => {
    await using server = await silentServer();
    const check = checking(server.url);
    await server.request();
    assert.deepEqual(await check.findsAfter(10), timedOut);
  });

  for (const [part, head] of [
    ['headers', ''],
    ['body', 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n'],
  ] as const) {
    test(`when the server sends a byte of its ${part} a second`, async () => {
      await using server = await silentServer();
      const check = checking(server.url);
      const socket = await server.request();
      socket.write(head);
      const bytes = Array.from('HTTP/1.1 20');
      assert.deepEqual(await check.findsAfter(10, () => socket.write(bytes.shift() ?? '')), timedOut);
    });
  }

  test('when the name never resolves', async () => {
    const check = checking(
      'http://identity/v3',
      tcpDial(() => {}),
    );
    assert.deepEqual(await check.findsAfter(10), timedOut);
  });

  test('when the server answers late at first and never to the login', async () => {
    await using server = await silentServer();
    const check = checking(server.url);
    const first = await server.request();
    await check.clock.advance(seconds(6));
    first.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    await server.request();
    assert.deepEqual(await check.findsAfter(4), { found: 'degraded', what: 'timed out' });
  });
});
