// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { type TestCluster } from '@forge/testing/test-cluster.ts';
import { minutes, now, seconds } from '../environment/duration.ts';
import { configMap, configMapOperator, type ConfigMapOperator } from '../test/config-map-operator.ts';

describe('a manager', () => {
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

  test('reconciles what exists at the start and what is created, updated and deleted later', async () => {
    await cluster.client.create(ConfigMap, configMap('a'));
    await operator.run({});
    assert.deepEqual(reconciled, ['default/a']);
    await cluster.client.create(ConfigMap, configMap('b'));
    await cluster.clock.settle();
    await cluster.client.delete(ConfigMap, { namespace: 'default', name: 'b' });
    await cluster.clock.settle();
    assert.deepEqual(reconciled, ['default/a', 'default/b', 'default/b']);
  });

  test('reconciles a changed object once, although its old and its new state map to it', async () => {
    await cluster.client.create(ConfigMap, configMap('a'));
    await operator.run({});
    await cluster.client.patch(ConfigMap, { namespace: 'default', name: 'a' }, 'merge', { data: { k: '1' } });
    await cluster.clock.settle();
    assert.deepEqual(reconciled, ['default/a', 'default/a']);
  });

  test('never reconciles one object concurrently, but others in parallel', async () => {
    const gate = Promise.withResolvers<undefined>();
    await cluster.client.create(ConfigMap, configMap('slow'));
    await operator.run({}, (key) =>
      key === 'default/slow' && reconciled.length === 1 ? gate.promise : Promise.resolve(undefined),
    );
    await cluster.client.patch(ConfigMap, { namespace: 'default', name: 'slow' }, 'merge', { data: { k: '1' } });
    await cluster.client.create(ConfigMap, configMap('quick'));
    await cluster.clock.settle();
    assert.deepEqual(reconciled, ['default/slow', 'default/quick']);
    gate.resolve(undefined);
    await cluster.clock.settle();
    assert.deepEqual(reconciled, ['default/slow', 'default/quick', 'default/slow']);
  });

  test('yields to the event loop after each reconciliation', async () => {
    let breaths = 0;
    cluster.clock.yieldToEventLoop = async () => void (breaths += 1);
    for (const name of ['a', 'b', 'c']) await cluster.client.create(ConfigMap, configMap(name));
    await operator.run({});
    assert.equal(breaths, 3);
  });

  test('delays an object that changes too often by a second', async () => {
    const a = { namespace: 'default', name: 'a' };
    await cluster.client.create(ConfigMap, configMap('a'));
    await operator.run({});
    for (let turn = 0; turn < 150; turn += 1) {
      await cluster.client.patch(ConfigMap, a, 'merge', { data: { turn: String(turn) } });
      await cluster.clock.settle();
    }
    const { length } = reconciled;
    assert.ok(length > 50 && length <= 100, `${length} passes`);
    await cluster.clock.advance(seconds(2));
    assert.equal(reconciled.length, length + 1);
  });

  test('resyncs every ten minutes, without a request', async () => {
    await cluster.client.create(ConfigMap, configMap('a'));
    await operator.run({});
    cluster.connection.requests.length = 0;
    await cluster.clock.advance(minutes(21));
    assert.deepEqual(reconciled, ['default/a', 'default/a', 'default/a']);
    assert.deepEqual(
      cluster.connection.requests.filter((request) => !request.startsWith('WATCH')),
      [],
    );
  });

  test('does not resync when that is disabled', async () => {
    await cluster.client.create(ConfigMap, configMap('a'));
    const work = () => {
      // Without a pause in between, it would go on forever.
      if (reconciled.length > 3) void operator.stop();
      return Promise.resolve(undefined);
    };
    await operator.run({}, work, { resync: now });
    await cluster.clock.advance(minutes(60));
    assert.deepEqual(reconciled, ['default/a']);
  });

  test('reconciles changes before resyncs', async () => {
    for (const name of ['a', 'b', 'c']) await cluster.client.create(ConfigMap, configMap(name));
    const gates: (() => void)[] = [];
    const work = () => new Promise<undefined>((resolve) => gates.push(() => resolve(undefined)));
    const finishOne = async () => {
      gates.shift()?.();
      await cluster.clock.settle();
    };
    await operator.run({ workers: 1 }, work);
    await cluster.client.create(ConfigMap, configMap('d'));
    await cluster.clock.settle();
    for (let count = 0; count < 4; count += 1) await finishOne();
    assert.deepEqual(reconciled, ['default/a', 'default/d', 'default/b', 'default/c']);
    reconciled.length = 0;
    await cluster.clock.advance(minutes(10));
    await cluster.client.patch(ConfigMap, { namespace: 'default', name: 'd' }, 'merge', { data: { k: '1' } });
    await cluster.clock.settle();
    for (let count = 0; count < 4; count += 1) await finishOne();
    assert.deepEqual(reconciled, ['default/a', 'default/d', 'default/b', 'default/c']);
  });

  test('is healthy while watches deliver, and not when they have been silent for five minutes', async () => {
    await operator.run({});
    await cluster.clock.advance(minutes(30));
    assert.equal(operator.healthy(), true);
    cluster.connection.intercept = () => {
      throw new Error('connection refused');
    };
    cluster.connection.breakWatches();
    await cluster.clock.advance(minutes(4));
    assert.equal(operator.healthy(), true);
    await cluster.clock.advance(minutes(2));
    assert.equal(operator.healthy(), false);
  });

  test('stays healthy behind an API server that sends no bookmarks', async () => {
    cluster.connection.intercept = ({ query }) => {
      delete query?.['allowWatchBookmarks'];
    };
    await operator.run({});
    for (let passed = 0; passed < 60; passed += 1) {
      await cluster.clock.advance(minutes(1));
      assert.equal(operator.healthy(), true, `after ${passed} minutes`);
    }
  });
});
