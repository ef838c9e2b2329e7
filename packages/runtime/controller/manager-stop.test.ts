// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { type TestCluster } from '@forge/testing/test-cluster.ts';
import { minutes, seconds } from '../environment/duration.ts';
import { configMap, configMapOperator, type ConfigMapOperator } from '../test/config-map-operator.ts';
import { manager } from './manager.ts';

describe('a manager that is stopped', () => {
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

  test('can be stopped while it waits for the API server', async () => {
    cluster.connection.intercept = () => {
      throw new Error('connection refused');
    };
    const waiting = manager({ ...cluster, client: cluster.connection.client });
    waiting.add({ name: 'test-controller', for: ConfigMap, reconcile: () => Promise.resolve(undefined) });
    const started = waiting.start();
    await cluster.clock.advance(minutes(1));
    await waiting.stop();
    await started;
  });

  test('lets running reconciliations finish when it stops, and starts no others', async () => {
    await cluster.client.create(ConfigMap, configMap('a'));
    const gate = Promise.withResolvers<undefined>();
    let ended = false;
    await operator.run({}, async () => {
      await gate.promise;
      ended = true;
      return undefined;
    });
    const stopped = operator.stop();
    await cluster.client.create(ConfigMap, configMap('b'));
    await cluster.clock.settle();
    gate.resolve(undefined);
    await stopped;
    assert.equal(ended, true);
    assert.deepEqual(reconciled, ['default/a']);
  });

  test('delivers events to running reconciliations until they have ended', async () => {
    await cluster.client.create(ConfigMap, configMap('a'));
    const gate = Promise.withResolvers<void>();
    let seen: unknown;
    await operator.run({}, async (_key, { cache }) => {
      await gate.promise;
      seen = cache.get(ConfigMap, { namespace: 'default', name: 'b' });
      return undefined;
    });
    const stopped = operator.stop();
    await cluster.client.create(ConfigMap, configMap('b'));
    await cluster.clock.settle();
    gate.resolve();
    await stopped;
    assert.notEqual(seen, undefined);
  });

  test('aborts reconciliations that do not end within ten seconds', async () => {
    await cluster.client.create(ConfigMap, configMap('a'));
    await operator.run({}, (_key, { signal }) => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      signal.addEventListener('abort', () => resolve(undefined));
      return promise;
    });
    const before = cluster.clock.now();
    let stopped = false;
    const stopping = operator.stop().then(() => (stopped = true));
    await cluster.clock.until(() => stopped);
    await stopping;
    assert.equal(cluster.clock.now() - before, seconds(10));
  });

  test('aborts an Event that the server does not answer', async () => {
    cluster.connection.intercept = ({ path, signal }) =>
      path.endsWith('/events')
        ? new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
        : undefined;
    await cluster.client.create(ConfigMap, configMap('a'));
    await operator.run({}, async (_, { event }) => {
      await event(configMap('a'), { type: 'Normal', reason: 'Told', message: '' });
      return undefined;
    });
    let stopped = false;
    void operator.stop().then(() => (stopped = true));
    await cluster.clock.until(() => stopped, seconds(11));
  });

  test('abandons reconciliations that ignore cancellation', async () => {
    await cluster.client.create(ConfigMap, configMap('a'));
    await operator.run({}, () => new Promise(() => undefined));
    const before = cluster.clock.now();
    let stopped = false;
    const stopping = operator.stop().then(() => (stopped = true));
    await cluster.clock.until(() => stopped);
    await stopping;
    assert.equal(cluster.clock.now() - before, seconds(15));
    assert.match(cluster.logged.at(-1)?.message ?? '', /reconcile ignored cancellation/);
  });
});
