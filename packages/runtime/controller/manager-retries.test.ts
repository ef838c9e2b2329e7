// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ApiError } from '@forge/kube/errors/api-error.ts';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { refusal } from '@forge/testing/refusal.ts';
import { type TestCluster } from '@forge/testing/test-cluster.ts';
import { minutes, seconds } from '../environment/duration.ts';
import { ReconcileError } from '../queue/reconcile-error.ts';
import { configMap, configMapOperator, type ConfigMapOperator } from '../test/config-map-operator.ts';

describe('a manager whose work fails', () => {
  let operator: ConfigMapOperator;
  let cluster: TestCluster;
  let reconciled: string[];

  beforeEach(async () => {
    operator = await configMapOperator();
    ({ cluster, reconciled } = operator);
  });

  afterEach(async () => {
    await operator[Symbol.asyncDispose]();
  });

  test('retries with the configured backoff', async () => {
    await cluster.client.create(ConfigMap, configMap('a'));
    await operator.run({}, () => Promise.reject(new Error('no')), { backoff: { base: seconds(1), cap: seconds(2) } });
    await cluster.clock.advance(minutes(1));
    assert.ok(reconciled.length > 30 && reconciled.length < 60, `${reconciled.length} tries`);
  });

  test('retries with exponential backoff after a failure, and rechecks on request', async () => {
    await cluster.client.create(ConfigMap, configMap('a'));
    const times: number[] = [];
    await operator.run({}, () => {
      times.push(cluster.clock.now());
      if (times.length < 8) throw new Error('no database');
      return Promise.resolve(times.length === 8 ? seconds(30) : undefined);
    });
    await cluster.clock.advance(minutes(2));
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    assert.equal(pauses.at(-1), seconds(30));
    for (const [index, pause] of pauses.slice(0, -1).entries()) {
      const whole = 5 * 2 ** index;
      assert.ok(pause >= whole / 2 && pause <= whole, `pause ${index} is ${pause} ms`);
    }
    assert.equal(times.length, 9);
  });

  test('resets the backoff after a success', async () => {
    await cluster.client.create(ConfigMap, configMap('a'));
    const times: number[] = [];
    await operator.run({}, () => {
      times.push(cluster.clock.now());
      if (times.length === 7) return Promise.resolve(seconds(30));
      return times.length < 9 ? Promise.reject(new Error('no database')) : Promise.resolve(undefined);
    });
    await cluster.clock.advance(minutes(2));
    const [success = 0, failure = 0, retry = Infinity] = times.slice(6);
    assert.equal(failure - success, seconds(30));
    assert.ok(retry - failure <= 5, `${retry - failure} ms`);
  });

  test("waits as long as the server's Retry-After says", async () => {
    await cluster.client.create(ConfigMap, configMap('a'));
    const busy = new ApiError({
      ...refusal(429, 'TooManyRequests', 'later').status,
      details: { retryAfterSeconds: 7 },
    });
    const asked: number[] = [];
    cluster.connection.intercept = ({ path }) => {
      if (!path.endsWith('/configmaps') || asked.push(cluster.clock.now()) > 1) return;
      throw busy;
    };
    const tries: number[] = [];
    const started = operator.run({}, async () => {
      if (tries.push(cluster.clock.now()) === 1)
        throw new ReconcileError([new Error('no', { cause: busy })], undefined);
      return undefined;
    });
    await cluster.clock.advance(minutes(1));
    await started;
    for (const [first = 0, second = 0] of [asked, tries]) {
      assert.ok(second - first >= seconds(7) && second - first <= seconds(14), `${second - first} ms`);
    }
  });
});
