// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiRequest, ApiResponse, Transport } from '@forge/kube/client/transport.ts';
import type { Dial } from '@forge/runtime/http/dial.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { systemRandom as random } from '@forge/runtime/random/random.ts';
import { virtualClock } from '@forge/runtime/testing/virtual-clock.ts';
import { seconds } from '@forge/runtime/time/duration.ts';
import { apiAt } from '../test/api-address.ts';
import { keystoneApi } from './keystone-api.ts';
import { serviceProxy } from './service-proxy.ts';

const notResolvable: Dial = async () => {
  throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
};

const status = (code: number, message: string, details?: object): ApiResponse => ({
  status: code,
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, message, ...(details && { details }) },
});

const service = { kind: 'services', name: 'identity:5000' };

/** Answers nothing until nobody waits any more. */
const never = ({ signal }: ApiRequest) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));

/** What is found through an API server that answers so. */
async function healthBy(answer: (request: ApiRequest) => ApiResponse | Promise<ApiResponse>) {
  const clock = virtualClock();
  const requests: string[] = [];
  const transport: Transport = {
    async request(request) {
      requests.push(`${request.method} ${request.path}`);
      return await answer(request);
    },
    stream: () => Promise.reject(new Error('not streamed')),
  };
  const http = httpClient({ clock, dial: notResolvable });
  const api = keystoneApi({ http, clock, random, proxy: serviceProxy(transport, clock) });
  const address = apiAt('http://identity.openstack.svc.cluster.local:5000/v3');
  const found = api.health(address, new AbortController().signal);
  await clock.settle();
  await clock.advance(seconds(10));
  return { health: await found, requests };
}

describe('an API whose name does not resolve', () => {
  test('is asked through the API server', async () => {
    const { health, requests } = await healthBy(({ method }) =>
      method === 'GET' ? { status: 200, body: { version: {} } } : status(401, '{"error":{"code":401}}'),
    );
    assert.deepEqual(health, { found: 'healthy' });
    const path = '/api/v1/namespaces/openstack/services/identity:5000/proxy/v3';
    assert.deepEqual(requests, [`GET ${path}`, `POST ${path}/auth/tokens`]);
  });

  for (const [what, response, health] of [
    ['has no Service', status(404, 'services "identity" not found', service), { found: 'not-resolvable' }],
    [
      'has no ready pod',
      status(503, 'no endpoints available for service "identity:5000"'),
      { found: 'not-connected', error: 'no endpoints available for service "identity:5000"' },
    ],
    [
      'may not be asked so',
      status(403, 'services "identity:5000" is forbidden', service),
      {
        found: 'failed',
        error:
          'the name of the Service does not resolve here, and the API server does not pass requests on: services "identity:5000" is forbidden',
      },
    ],
    ['answers with an error', status(500, 'Internal Server Error'), { found: 'unhealthy', status: 500 }],
  ] as const) {
    test(`and that ${what} is called so`, async () =>
      assert.deepEqual((await healthBy(() => response)).health, health));
  }

  test('and that does not answer has timed out', async () => {
    assert.deepEqual((await healthBy(never)).health, { found: 'timeout' });
  });

  test('and that cannot authenticate is degraded', async () => {
    const { health } = await healthBy(({ method }) =>
      method === 'GET' ? { status: 200, body: {} } : status(500, 'Internal Server Error'),
    );
    assert.deepEqual(health, { found: 'degraded', what: 'HTTP 500' });
  });
});
