// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Node } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { testCluster } from '@forge/testing/test-cluster.ts';

test('a node is tainted while it is not ready, and other taints stay', async () => {
  await using cluster = await testCluster();
  const { client, clock } = cluster;
  await clock.advance(seconds(5));
  const [node] = (await client.list(Node)).items;
  assert.ok(node);
  assert.equal(node.spec?.taints, undefined);

  const ref = { name: node.metadata.name };
  const own = { key: 'example.com/mine', effect: 'NoSchedule' };
  await client.patch(Node, ref, 'merge', { spec: { taints: [own] } });
  await cluster.stopNode();
  await clock.advance(seconds(60));
  const lost = { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' };
  assert.deepEqual((await client.get(Node, ref)).spec?.taints, [own, lost]);
});
