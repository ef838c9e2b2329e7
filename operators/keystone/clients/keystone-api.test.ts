// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { systemRandom as random } from '@forge/runtime/environment/random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import { tcpDial, type Dial } from '@forge/runtime/http/dial.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { httpServer } from '@forge/testing/programs/loopback-server.ts';
import { apiAt } from '../test/api-address.ts';
import { keystoneApi } from './keystone-api.ts';

/** A server on loopback that answers as `respond` says; undefined means never. */
async function withServer(
  respond: (request: IncomingMessage) => number | undefined,
  use: (url: string) => Promise<void>,
): Promise<void> {
  await using server = await httpServer((request, response) => {
    const status = respond(request);
    if (status !== undefined) response.writeHead(status).end('{}');
  });
  await use(`${server.url}/v3`);
}

describe("the health of Keystone's API", () => {
  const clock = virtualClock();
  const apiBy = (dial: Dial) => keystoneApi({ http: httpClient({ clock, dial }), clock, random });
  const api = apiBy(tcpDial());
  const { signal } = new AbortController();

  test('is good when it answers and refuses an unknown user', () =>
    withServer(
      ({ method }) => (method === 'POST' ? 401 : 200),
      async (url) => assert.deepEqual(await api.health(apiAt(url), signal), { found: 'healthy' }),
    ));

  for (const status of [300, 401, 404, 499]) {
    test(`is bad when the API answers ${status}: only a success is one`, () =>
      withServer(
        () => status,
        async (url) => assert.deepEqual(await api.health(apiAt(url), signal), { found: 'unhealthy', status }),
      ));
  }

  test('is bad when the API answers with an error', () =>
    withServer(
      () => 503,
      async (url) => assert.deepEqual(await api.health(apiAt(url), signal), { found: 'unhealthy', status: 503 }),
    ));

  test('is degraded when it answers but cannot authenticate, twice in a row', () =>
    withServer(
      ({ method }) => (method === 'POST' ? 500 : 200),
      async (url) => assert.deepEqual(await api.health(apiAt(url), signal), { found: 'degraded', what: 'HTTP 500' }),
    ));

  test('is good when only the first of two logins fails', async () => {
    let logins = 0;
    await withServer(
      ({ method }) => (method === 'GET' ? 200 : ++logins === 1 ? 500 : 401),
      async (url) => assert.deepEqual(await api.health(apiAt(url), signal), { found: 'healthy' }),
    );
    assert.equal(logins, 2);
  });

  test('is unknown after ten seconds without an answer', () => {
    const arrived = Promise.withResolvers<void>();
    return withServer(
      () => {
        arrived.resolve();
        return undefined;
      },
      async (url) => {
        const health = api.health(apiAt(url), signal);
        await arrived.promise;
        await clock.advance(seconds(10));
        assert.deepEqual(await health, { found: 'timeout' });
      },
    );
  });

  test('says when nobody listens', async () => {
    const health = await api.health(apiAt('http://127.0.0.1:1/v3'), signal);
    assert.ok(health.found === 'not-connected');
    assert.match(health.error, /ECONNREFUSED/);
  });

  test('does not say that nobody listens when the host is not reached', async () => {
    const unreachable = Object.assign(new Error('connect EHOSTUNREACH 192.0.2.1:5000'), { code: 'EHOSTUNREACH' });
    assert.deepEqual(await apiBy(() => Promise.reject(unreachable)).health(apiAt('http://keystone/v3'), signal), {
      found: 'failed',
      error: 'connect EHOSTUNREACH 192.0.2.1:5000',
    });
  });

  test('is unknown after ten seconds without a connection', async () => {
    const dialled = Promise.withResolvers<void>();
    const stuck = apiBy(() => {
      dialled.resolve();
      return new Promise(() => undefined);
    });
    const health = stuck.health(apiAt('http://keystone/v3'), signal);
    await dialled.promise;
    await clock.advance(seconds(10));
    assert.deepEqual(await health, { found: 'timeout' });
  });

  test('says when the name does not resolve', async () => {
    const notFound = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    assert.deepEqual(
      await apiBy(tcpDial((_host, _options, callback) => callback(notFound, ''))).health(apiAt('http://x/v3'), signal),
      { found: 'not-resolvable' },
    );
  });
});
