// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '@forge/kube/client/client.ts';
import type { ReplicaSetSpec } from '@forge/kube/generated/types.ts';
import { Event, Pod, ReplicaSet } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { testCluster } from '@forge/testing/test-cluster.ts';
import { isActive } from '../../objects/pod-state.ts';
import { web } from '../test/manifests.ts';

const ref = { namespace: 'default', name: 'web' };

function webSet(spec: Partial<ReplicaSetSpec> = {}): ReplicaSet {
  const { selector = {}, template = {} } = web('v1').spec ?? {};
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas: 2, selector, template, ...spec },
  };
}

function orphan(name: string): Pod {
  const { metadata, spec } = web('v1').spec?.template ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, name, namespace: 'default' },
    ...(spec && { spec }),
  };
}

async function activePods(client: Client): Promise<Pod[]> {
  return (await client.list(Pod)).items.filter(isActive);
}

describe('a ReplicaSet', () => {
  test('gets and loses more pods than one pass creates or deletes', async () => {
    await using cluster = await testCluster({ node: false });
    const { client, clock } = cluster;
    await client.create(ReplicaSet, webSet({ replicas: 600 }));
    for (const replicas of [600, 3]) {
      await client.patch(ReplicaSet, ref, 'merge', { spec: { replicas } });
      await clock.until(async () => (await client.get(ReplicaSet, ref)).status?.replicas === replicas);
    }
    assert.deepEqual(cluster.controllers.errors, []);
  });

  test('replaces a pod that fails or is deleted, and never has too many pods', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(ReplicaSet, webSet());
    await clock.until(async () => (await activePods(client)).length === 2);
    const [first, second] = await activePods(client);
    await client.delete(Pod, { namespace: 'default', name: first?.metadata.name ?? '' });
    if (second) await client.update(Pod, { ...second, status: { phase: 'Failed' } }, { subresource: 'status' });
    await clock.advance(seconds(5));
    const names = (await activePods(client)).map(({ metadata }) => metadata.name);
    assert.equal(names.length, 2);
    assert.ok(!names.includes(first?.metadata.name ?? '') && !names.includes(second?.metadata.name ?? ''));
  });

  test('adopts orphans that it selects and releases pods that it no longer selects', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(Pod, orphan('stray'));
    await client.create(ReplicaSet, webSet());
    await clock.advance(seconds(1));
    const names = (await activePods(client)).map(({ metadata }) => metadata.name);
    assert.ok(names.length === 2 && names.includes('stray'), names.join());

    await client.patch(Pod, { namespace: 'default', name: 'stray' }, 'merge', {
      metadata: { labels: { app: 'alone' } },
    });
    await clock.advance(seconds(1));
    const stray = await client.get(Pod, { namespace: 'default', name: 'stray' });
    assert.deepEqual(stray.metadata.ownerReferences ?? [], []);
    assert.equal((await activePods(client)).length, 3);
  });

  test('counts a pod as available only after minReadySeconds', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(ReplicaSet, webSet({ minReadySeconds: 30 }));
    await clock.advance(seconds(29));
    const early = await client.get(ReplicaSet, ref);
    assert.deepEqual([early.status?.readyReplicas, early.status?.availableReplicas], [2, undefined]);
    await clock.advance(seconds(2));
    assert.equal((await client.get(ReplicaSet, ref)).status?.availableReplicas, 2);
  });

  test('emits an event for each pod it creates', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(ReplicaSet, webSet({ replicas: 1 }));
    await clock.advance(seconds(1));
    const [pod] = await activePods(client);
    const { items } = await client.list(Event);
    assert.ok(
      items.some(
        ({ reason, message }) => reason === 'SuccessfulCreate' && message === `Created pod: ${pod?.metadata.name}`,
      ),
    );
  });
});
