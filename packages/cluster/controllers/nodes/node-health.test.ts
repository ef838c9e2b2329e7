// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Node } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { testCluster } from '@forge/testing/test-cluster.ts';
import { conditionOf } from '../../objects/with-condition.ts';

describe('the health of a node', () => {
  test('is ready while it renews its Lease, and unknown 40 seconds after the last renewal', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    const ready = async () => conditionOf((await client.get(Node, { name: 'fake' })).status?.conditions, 'Ready');
    await clock.advance(seconds(300));
    assert.equal((await ready())?.status, 'True');
    await cluster.stopNode();
    await clock.advance(seconds(29));
    assert.equal((await ready())?.status, 'True');
    await clock.advance(seconds(12));
    const { status, reason } = (await ready()) ?? {};
    assert.deepEqual([status, reason], ['Unknown', 'NodeStatusUnknown']);
  });
});
