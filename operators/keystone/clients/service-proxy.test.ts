// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readRecording } from '@forge/apiserver/conformance/recording.ts';
import { plainStatus } from '@forge/kube/client/plain-status.ts';
import type { ApiRequest, ApiResponse, Transport } from '@forge/kube/client/transport.ts';
import { serviceProxy } from '@forge/openstack/service-proxy.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { systemRandom as random } from '@forge/runtime/environment/random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import type { Dial } from '@forge/runtime/http/dial.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { apiAt } from '../test/api-address.ts';
import { keystoneApi } from './keystone-api.ts';

const notResolvable: Dial = async () => {
  throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
};

const status = (code: number, message: string): ApiResponse => ({
  status: code,
  body: plainStatus(code, message, NaN),
});

const refused = {
  found: 'not-connected',
  error: 'error trying to reach service: dial tcp 192.0.2.1:1: connect: connection refused',
};

/** What a real API server answered to requests for this path in a case of its catalog. */
async function recorded(name: string, path: string): Promise<ApiResponse[]> {
  const exchanges = (await readRecording('service-proxies'))[name] ?? [];
  return exchanges
    .filter(({ request }) => request.endsWith(`/services/${path}`))
    .map(({ status: code, body }) => {
      const isStatus = (body as { kind?: string }).kind === 'Status';
      return { status: code, body: isStatus ? body : plainStatus(code, JSON.stringify(body), NaN) };
    });
}

/** Answers nothing until nobody waits any more. */
const never = ({ signal }: ApiRequest) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));

/** The result of a check through an API server with this answer. */
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

  for (const [what, name, path, health] of [
    [
      'has no Service',
      'a request to a Service that does not exist is not found',
      'a:80/proxy/',
      [{ found: 'not-resolvable' }],
    ],
    [
      'has no ready pod',
      'a Service without ready endpoints is unavailable',
      'a:80/proxy/',
      [
        // Before its Endpoints exist.
        { found: 'not-resolvable' },
        { found: 'not-connected', error: 'no endpoints available for service "a"' },
        { found: 'not-connected', error: 'no endpoints available for service "a:80"' },
      ],
    ],
    [
      'has another port',
      'a port that a Service does not have is unavailable',
      'a:81/proxy/',
      [{ found: 'not-connected', error: 'no service port 81 found for service "a"' }],
    ],
    [
      'refuses connections',
      'a Service that cannot be reached is unavailable',
      'a:80/proxy/x',
      // By GET and by POST.
      [refused, refused],
    ],
    [
      'hangs up',
      'a Service that cannot be reached is unavailable',
      'a:plain/proxy/hang-up',
      [{ found: 'failed', error: 'error trying to reach service: EOF' }],
    ],
    [
      'may not be asked so',
      'every method on services/proxy needs its own verb',
      'a:web/proxy/x',
      [
        {
          found: 'failed',
          error:
            'the name of the Service does not resolve here, and the API server does not pass requests on: services "a:web" is forbidden: User "tom" cannot get resource "services/proxy" in API group "" in the namespace "row-92679d"',
        },
      ],
    ],
    [
      'answers with an error',
      'answers of a Service are passed on',
      'a:80/proxy/status/503',
      [{ found: 'unhealthy', status: 503 }],
    ],
  ] as const) {
    test(`and that ${what} is called so`, async () => {
      const responses = await recorded(name, path);
      assert.deepEqual(
        await Promise.all(responses.map(async (response) => (await healthBy(() => response)).health)),
        health,
      );
    });
  }

  test('leaves no deadline behind once it has answered', async () => {
    const clock = virtualClock();
    const pending = new Set<symbol>();
    const counted: Clock = {
      ...clock,
      after(delay, callback) {
        const timer = Symbol();
        pending.add(timer);
        const cancel = clock.after(delay, callback);
        return () => {
          pending.delete(timer);
          cancel();
        };
      },
    };
    const transport: Transport = {
      request: async () => ({ status: 200, body: {} }),
      stream: () => Promise.reject(new Error('not streamed')),
    };
    const { service } = apiAt('http://identity.openstack.svc.cluster.local:5000/v3');
    const request = {
      method: 'GET' as const,
      path: '/v3',
      deadline: seconds(10),
      signal: new AbortController().signal,
    };
    assert.equal((await serviceProxy(transport, counted).send(service, request)).status, 200);
    assert.equal(pending.size, 0);
  });

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
