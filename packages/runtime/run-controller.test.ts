// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap } from '@forge/kube/builtin.ts';
import { minutes, seconds } from './duration.ts';
import { manager } from './manager.ts';
import { testCluster } from './test/test-cluster.ts';

test('a controller begins with the shortest backoff again after a success', async () => {
  const cluster = await testCluster();
  const { clock, other } = cluster;
  const times: number[] = [];
  const fates = ['fails', 'fails', 'fails', 'fails', 'succeeds', 'fails', 'succeeds'];
  const running = manager({ ...cluster, resync: minutes(60), backoff: { base: seconds(1), cap: minutes(10) } });
  running.add({
    name: 'test-controller',
    for: ConfigMap,
    async reconcile() {
      times.push(clock.now());
      const fate = fates.shift();
      if (fate === 'fails') throw new Error('not yet');
      return times.length === 5 ? minutes(1) : undefined;
    },
  });
  await running.start();
  const metadata = { namespace: 'default', name: 'a' };
  await other.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  await clock.advance(minutes(5));
  await running.stop();
  await cluster.close();
  assert.equal(times.length, 7);
  const [failedAgain = 0, retried = 0] = times.slice(5);
  assert.ok(retried - failedAgain <= seconds(1), `retried after ${retried - failedAgain} ms`);
});
