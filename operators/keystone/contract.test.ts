// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { duplexPair } from 'node:stream';
import { describe, test } from 'node:test';
import { Secret } from '@forge/kube/kinds/builtin.ts';
import { contractCoverage } from '@forge/runtime/contract/contract-coverage.ts';
import type { Dial } from '@forge/runtime/http/dial.ts';
import { httpClient } from '@forge/runtime/http/http-client.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { systemRandom as random } from '@forge/runtime/random/random.ts';
import { virtualClock } from '@forge/runtime/testing/virtual-clock.ts';
import { minutes, seconds } from '@forge/runtime/time/duration.ts';
import { keystoneApi, type Health } from './clients/keystone-api.ts';
import { contract } from './contract.ts';
import { Keystone } from './keystone.ts';
import { keystoneFixture } from './test/keystone-fixture.ts';
import {
  createCredentials,
  createKeystone,
  digestKeyName,
  home,
  keystoneOperator,
  secret,
} from './test/keystone-operator.ts';

const allReady = '+AllReady: All sub-resources are ready';
const endpoint = 'http://identity.openstack.svc.cluster.local:5000/v3';

/** What the client for Keystone's API makes of what it finds there. */
async function healthOf(dial: Dial): Promise<Health> {
  const clock = virtualClock();
  const http = httpClient({ clock, dial });
  const health = keystoneApi({ http, clock, random }).health(endpoint, new AbortController().signal);
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

/** Reaches somebody who hangs up. */
const hangsUp: Dial = async () => {
  const [client, served] = duplexPair();
  served.once('data', () => served.end());
  return client;
};

describe('the contract of a Keystone', () => {
  const coverage = contractCoverage(contract);
  const { observer } = coverage;

  test('covers the way to a ready Keystone, step by step', async () => {
    await using operator = await keystoneOperator(undefined, { observer });
    const { client, clock } = operator.cluster;
    await client.create(Keystone, keystoneFixture());
    await clock.settle();
    await client.create(Secret, secret('keystone-db', { username: 'keystone' }));
    await clock.settle();
    const data = { password: Buffer.from('x').toString('base64') };
    await client.patch(Secret, { ...home, name: 'keystone-db' }, 'merge', { data });
    await clock.settle();
    await client.create(Secret, secret('keystone-admin', { user: 'admin' }));
    await clock.settle();
    await client.patch(Secret, { ...home, name: 'keystone-admin' }, 'merge', { data });
    await operator.untilCondition('Ready', allReady);
  });

  test('covers configuration that cannot be rendered, and what the server refuses', async () => {
    await using operator = await keystoneOperator(undefined, { observer });
    await createKeystone(operator);
    const { client, clock } = operator.cluster;
    await client.patch(Keystone, home, 'merge', { spec: { extraConfig: { DEFAULT: { debug: 'a\nb' } } } });
    await clock.settle();
    // No Deployment can roll out with neither a pod more nor one less.
    const strategy = { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } };
    await client.patch(Keystone, home, 'merge', { spec: { extraConfig: null, strategy } });
    await clock.until(async () => (await operator.condition('DeploymentReady'))?.startsWith('ApplyRejected: '));
  });

  test('covers a digest key that is none, and its replacement', async () => {
    await using operator = await keystoneOperator(undefined, { observer });
    const { client, clock } = operator.cluster;
    const owner = await client.create(Keystone, keystoneFixture());
    const { metadata, ...spoiled } = secret(digestKeyName.name, { key: '' });
    const ownerReferences = [controllerReference(owner)];
    await client.create(Secret, { ...spoiled, metadata: { ...metadata, ownerReferences } });
    await createCredentials(operator);
    await clock.settle();
    assert.match((await operator.condition('SecretsReady')) ?? '', /^InvalidDigestKey: /);
    await client.delete(Secret, digestKeyName);
    await operator.untilCondition('Ready', allReady);
  });

  test('covers a database that mariadb-operator is to run', async () => {
    await using operator = await keystoneOperator(undefined, { observer });
    const { host: _, ...managed } = keystoneFixture().spec.database;
    const database = { ...managed, clusterRef: { name: 'mariadb' } };
    await operator.cluster.client.create(Keystone, keystoneFixture({ database }));
    await operator.cluster.clock.settle();
  });

  for (const [component, condition] of [
    ['db-sync', 'DatabaseReady'],
    ['schema-check', 'DatabaseReady'],
    ['bootstrap', 'BootstrapReady'],
  ] as const) {
    test(`covers a ${component} Job that fails`, async () => {
      await using operator = await keystoneOperator(
        (running) => (running === component ? { exit: { code: 1, after: seconds(1) } } : {}),
        { observer },
      );
      await createKeystone(operator);
      await operator.cluster.clock.until(async () => /job failed/.test((await operator.condition(condition)) ?? ''));
    });
  }

  test('covers everything that can be wrong with the API', async () => {
    await using operator = await keystoneOperator(undefined, { observer });
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

  test('is what the operator said in all these, no more and no less', () => {
    assert.deepEqual(coverage.differences(), []);
  });
});
