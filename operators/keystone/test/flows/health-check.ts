// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { duplexPair } from 'node:stream';
import { test } from 'node:test';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { systemRandom as random } from '@forge/runtime/environment/random.ts';
import { virtualClock } from '@forge/runtime/environment/virtual-clock.ts';
import type { Dial } from '@forge/runtime/http/dial.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { keystoneApi, type Health } from '../../clients/keystone-api.ts';
import { apiAt } from '../api-address.ts';
import { allReady, createKeystone, startKeystoneOperator } from '../start-keystone-operator.ts';

const endpoint = 'http://identity.openstack.svc.cluster.local:5000/v3';

/** The result of the client for Keystone's API. */
async function healthOf(dial: Dial): Promise<Health> {
  const clock = virtualClock();
  const http = httpClient({ clock, dial });
  const health = keystoneApi({ http, clock, random }).health(apiAt(endpoint), new AbortController().signal);
  if (dial === hangs) await clock.advance(seconds(10));
  return await health;
}

/** Reaches a Keystone that answers with these. */
const answers = (get: number, post: number): Dial => {
  const server = createServer(({ method }, response) => response.writeHead(method === 'GET' ? get : post).end());
  return async () => {
    const [client, served] = duplexPair();
    server.emit('connection', served);
    return client;
  };
};

const fails = (message: string, code: string): Dial => {
  return async () => {
    throw Object.assign(new Error(message), { code });
  };
};

const hangs: Dial = () => new Promise(() => undefined);

/** Reaches a server that closes the connection. */
const hangsUp: Dial = async () => {
  const [client, served] = duplexPair();
  served.once('data', () => served.end());
  return client;
};

/** What probes of the API find. */
export function healthCheckFlows(observer: CatalogObserver): void {
  test('covers everything that can be wrong with the API', async () => {
    await using operator = await startKeystoneOperator(undefined, { observer });
    await createKeystone(operator);
    await operator.untilCondition('Ready', allReady);
    for (const dial of [
      answers(503, 401),
      answers(200, 500),
      hangs,
      fails('getaddrinfo', 'ENOTFOUND'),
      fails('connect', 'ECONNREFUSED'),
      hangsUp,
    ]) {
      operator.health = await healthOf(dial);
      assert.notEqual(operator.health.found, 'healthy');
      await operator.cluster.clock.advance(minutes(1));
      assert.doesNotMatch((await operator.condition('KeystoneAPIReady')) ?? '', /^\+/);
    }
  });
}
