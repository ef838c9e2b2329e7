// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Client } from '@forge/kube/client/client.ts';
import { ConfigMap, Event, Lease } from '@forge/kube/kinds/builtin.ts';
import { testCluster, type TestCluster } from '@forge/testing/test-cluster.ts';
import { minutes, seconds } from '../environment/duration.ts';
import { manager, type Manager } from './manager.ts';

const lease = { namespace: 'default', name: 'keystone-operator' };
const configMap: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } };

describe('a manager that takes part in an election', () => {
  let cluster: TestCluster;
  let running: Manager[];
  let lost: string[];
  let reconciled: string[];
  let gate: Promise<void> | undefined;

  beforeEach(async () => {
    cluster = await testCluster({ controllers: false });
    gate = undefined;
    running = [];
    lost = [];
    reconciled = [];
    await cluster.client.create(ConfigMap, configMap);
  });

  afterEach(async () => {
    await Promise.all(running.map((one) => one.stop()));
    await cluster[Symbol.asyncDispose]();
  });

  function start(identity: string, client: Client): Promise<void> {
    const election = { lease, identity, onLost: () => void lost.push(identity) };
    const one = manager({ ...cluster, client, election, resync: minutes(1) });
    one.add({
      name: 'test-controller',
      for: ConfigMap,
      async reconcile(_ref, context) {
        reconciled.push(identity);
        await gate;
        await context.client.patch(ConfigMap, configMap.metadata, 'merge', { data: { by: identity } });
        await context.event(configMap, { type: 'Normal', reason: 'Done', message: identity });
        return undefined;
      },
    });
    running.push(one);
    return one.start();
  }

  test('works only while it leads, and releases the Lease when it is stopped', async () => {
    await start('a', cluster.connection.client);
    const second = start('b', cluster.client);
    await cluster.clock.advance(minutes(2));
    assert.deepEqual(new Set(reconciled), new Set(['a']));
    await running[0]?.stop();
    await cluster.clock.advance(seconds(5));
    await second;
    await cluster.clock.settle();
    assert.equal(reconciled.at(-1), 'b');
    assert.deepEqual(lost, []);
  });

  test('can be stopped while it waits for leadership', async () => {
    await start('a', cluster.connection.client);
    const second = start('b', cluster.client);
    await cluster.clock.advance(seconds(20));
    await running[1]?.stop();
    await second;
    assert.deepEqual(lost, []);
  });

  test('stops working and calls onLost when leadership is lost', async () => {
    await start('a', cluster.connection.client);
    cluster.connection.intercept = ({ path }) => {
      if (path.includes('leases')) throw new Error('connection refused');
    };
    await cluster.clock.advance(seconds(11));
    assert.deepEqual(lost, ['a']);
    const before = reconciled.length;
    cluster.connection.requests.length = 0;
    await cluster.client.patch(ConfigMap, configMap.metadata, 'merge', { data: { by: 'somebody' } });
    await cluster.clock.advance(minutes(5));
    assert.equal(reconciled.length, before);
    assert.ok(cluster.connection.requests.every((request) => request.startsWith('WATCH')));
    const { items } = await cluster.client.list(Event, { namespace: 'default' });
    assert.ok(items.every(({ message }) => message === 'a'));
  });

  test('calls onLost even when a reconciliation never ends', async () => {
    gate = new Promise(() => undefined);
    await start('a', cluster.connection.client);
    await cluster.client.patch(Lease, lease, 'merge', { spec: { holderIdentity: 'b' } });
    await cluster.clock.advance(seconds(15));
    assert.deepEqual([reconciled, lost], [['a'], ['a']]);
    const stopping = running.pop()?.stop();
    await cluster.clock.advance(seconds(15));
    await stopping;
  });

  test('writes nothing in a reconciliation that outlives its leadership', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    await start('a', cluster.connection.client);
    await cluster.clock.settle();
    cluster.connection.intercept = ({ path }) => {
      if (path.includes('leases')) throw new Error('connection refused');
    };
    await cluster.clock.advance(seconds(11));
    cluster.connection.requests.length = 0;
    resolve();
    await cluster.clock.settle();
    assert.deepEqual(cluster.connection.requests, []);
    assert.deepEqual([reconciled, lost], [['a'], ['a']]);
    assert.equal((await cluster.client.get(ConfigMap, configMap.metadata)).data, undefined);
  });
});
