// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Node, Pod } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { testCluster } from '@forge/testing/test-cluster.ts';
import { conditionOf } from '../../objects/with-condition.ts';

const ref = { namespace: 'default', name: 'lone' };

function lone(nodeSelector?: Record<string, string>): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...ref },
    spec: { containers: [{ name: 'main', image: 'x' }], ...(nodeSelector && { nodeSelector }) },
  };
}

describe('the scheduler', () => {
  test('reports that there is no node', async () => {
    await using cluster = await testCluster({ node: false });
    const { client, clock } = cluster;
    await client.create(Pod, lone());
    await clock.advance(seconds(1));
    const { status } = await client.get(Pod, ref);
    const { status: is, reason, message } = conditionOf(status?.conditions, 'PodScheduled') ?? {};
    assert.deepEqual([is, reason, message], ['False', 'Unschedulable', 'no nodes available to schedule pods']);
  });

  test('binds a pod as soon as a node fits', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(Pod, lone({ disk: 'fast' }));
    await clock.advance(seconds(1));
    const waiting = await client.get(Pod, ref);
    assert.match(
      conditionOf(waiting.status?.conditions, 'PodScheduled')?.message ?? '',
      /^0\/1 nodes are available: 1 /,
    );
    await client.patch(Node, { name: 'fake' }, 'merge', { metadata: { labels: { disk: 'fast' } } });
    await clock.advance(seconds(1));
    const bound = await client.get(Pod, ref);
    assert.deepEqual([bound.spec?.nodeName, bound.status?.phase], ['fake', 'Running']);
    assert.equal(conditionOf(bound.status?.conditions, 'PodScheduled')?.status, 'True');
  });
});
