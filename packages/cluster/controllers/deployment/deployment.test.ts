// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '@forge/kube/client/client.ts';
import type { DeploymentSpec } from '@forge/kube/generated/types.ts';
import { Deployment, Pod, ReplicaSet } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { testCluster } from '@forge/testing/test-cluster.ts';
import { isActive } from '../../objects/pod-state.ts';
import { isTrue } from '../../objects/with-condition.ts';
import { web } from '../test/manifests.ts';

const ref = { namespace: 'default', name: 'web' };

async function isDone(client: Client, replicas: number): Promise<boolean> {
  const { metadata, status = {} } = await client.get(Deployment, ref);
  const { observedGeneration, updatedReplicas = 0, availableReplicas = 0 } = status;
  const settled = observedGeneration === metadata.generation && (status.replicas ?? 0) === replicas;
  return settled && updatedReplicas === replicas && availableReplicas === replicas;
}

async function change(client: Client, spec: Partial<DeploymentSpec>): Promise<void> {
  await client.patch(Deployment, ref, 'merge', { spec });
}

async function imagesOf(client: Client): Promise<string> {
  const { items } = await client.list(Pod);
  const images = items.filter(isActive).map(({ spec }) => spec?.containers[0]?.image ?? '');
  return images.toSorted().join();
}

async function sets(client: Client): Promise<ReplicaSet[]> {
  return (await client.list(ReplicaSet)).items;
}

describe('a Deployment', () => {
  test('creates a ReplicaSet with the template hash, the owner and the first revision', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(Deployment, web('v1'));
    await clock.until(() => isDone(client, 3));

    const deployment = await client.get(Deployment, ref);
    assert.ok(isTrue(deployment.status?.conditions, 'Available'));
    const [set] = await sets(client);
    const hash = set?.metadata.labels?.['pod-template-hash'];
    assert.equal(set?.metadata.name, `web-${hash}`);
    assert.equal(set.metadata.ownerReferences?.[0]?.uid, deployment.metadata.uid);
    assert.equal(set.metadata.annotations?.['deployment.kubernetes.io/revision'], '1');
    assert.equal(deployment.metadata.annotations?.['deployment.kubernetes.io/revision'], '1');
    const { items: pods } = await client.list(Pod, { labelSelector: `pod-template-hash=${hash}` });
    assert.equal(pods.length, 3);
    for (const { metadata } of pods) assert.match(metadata.name, new RegExp(`^web-${hash}-[a-z0-9]{5}$`));
  });

  test('rolls out a new template gradually and keeps enough pods available', async () => {
    await using cluster = await testCluster({ behavior: () => ({ ready: seconds(5) }) });
    const { client, clock } = cluster;
    await client.create(Deployment, web('v1', { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }));
    await clock.until(() => isDone(client, 3));
    await change(client, web('v2').spec ?? {});
    const seen = new Set<string>();
    await clock.until(async () => {
      seen.add(await imagesOf(client));
      const { status } = await client.get(Deployment, ref);
      assert.ok((status?.availableReplicas ?? 0) >= 3, 'three pods are available all the time');
      return isDone(client, 3);
    });
    assert.equal(await imagesOf(client), 'v2,v2,v2');
    assert.ok(seen.has('v1,v1,v1,v2') && seen.has('v1,v2,v2,v2'), [...seen].join(' '));
    assert.deepEqual((await sets(client)).map(({ spec }) => `${spec?.replicas}`).toSorted(), ['0', '3']);
    const { metadata } = await client.get(Deployment, ref);
    assert.equal(metadata.annotations?.['deployment.kubernetes.io/revision'], '2');
  });

  test('reuses the old ReplicaSet when its template returns, with a new revision', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(Deployment, web('v1'));
    for (const image of ['v1', 'v2', 'v1']) {
      await change(client, web(image).spec ?? {});
      await clock.until(() => isDone(client, 3));
    }
    const revisions = (await sets(client)).map(
      ({ metadata, spec }) => `${metadata.annotations?.['deployment.kubernetes.io/revision']}: ${spec?.replicas}`,
    );
    assert.deepEqual(revisions.toSorted(), ['2: 0', '3: 3']);
  });

  test('with Recreate, starts no new pod before the last old one is gone', async () => {
    await using cluster = await testCluster({ behavior: () => ({ terminationDelay: seconds(20) }) });
    const { client, clock } = cluster;
    await client.create(Deployment, web('v1', { strategy: { type: 'Recreate' } }));
    await clock.until(() => isDone(client, 3));
    await change(client, { template: web('v2').spec?.template ?? {} });
    await clock.advance(seconds(19));
    const { items } = await client.list(Pod);
    assert.deepEqual(
      items.map(({ spec }) => spec?.containers[0]?.image),
      ['v1', 'v1', 'v1'],
    );
    await clock.until(() => isDone(client, 3), seconds(10));
    assert.equal(await imagesOf(client), 'v2,v2,v2');
  });

  test('is scaled up and down', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(Deployment, web('v1'));
    for (const replicas of [3, 5, 1, 0]) {
      await change(client, { replicas });
      await clock.until(() => isDone(client, replicas));
      assert.equal((await client.list(Pod)).items.filter(isActive).length, replicas);
    }
  });

  test('keeps no more old ReplicaSets than revisionHistoryLimit', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(Deployment, web('v0', { revisionHistoryLimit: 1 }));
    for (const image of ['v0', 'v1', 'v2', 'v3']) {
      await change(client, { template: web(image).spec?.template ?? {} });
      await clock.until(() => isDone(client, 3));
      await clock.advance(seconds(1));
    }
    const kept = (await sets(client)).map(({ spec }) => spec?.template?.spec?.containers[0]?.image ?? '');
    assert.deepEqual(kept.toSorted(), ['v2', 'v3']);
  });

  test('reports a stuck rollout when new pods do not become ready, and keeps the old ones', async () => {
    await using cluster = await testCluster({
      behavior: ({ spec }) => (spec?.containers[0]?.image === 'bad' ? { ready: 'never' } : {}),
    });
    const { client, clock } = cluster;
    await client.create(Deployment, web('v1', { progressDeadlineSeconds: 60 }));
    await clock.until(() => isDone(client, 3));
    await change(client, { template: web('bad').spec?.template ?? {} });
    await clock.advance(seconds(62));
    const { status } = await client.get(Deployment, ref);
    const progressing = status?.conditions?.find(({ type }) => type === 'Progressing');
    assert.deepEqual([progressing?.status, progressing?.reason], ['False', 'ProgressDeadlineExceeded']);
    assert.equal(await imagesOf(client), 'bad,v1,v1,v1');
  });

  test('does not roll out while paused', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(Deployment, web('v1'));
    await clock.until(() => isDone(client, 3));
    await change(client, { paused: true, template: web('v2').spec?.template ?? {} });
    await clock.advance(seconds(30));
    assert.equal(await imagesOf(client), 'v1,v1,v1');
    await change(client, { paused: false });
    await clock.until(() => isDone(client, 3));
    assert.equal(await imagesOf(client), 'v2,v2,v2');
  });

  test('scales old and new pods in proportion while its rollout is stuck', async () => {
    await using cluster = await testCluster({
      behavior: ({ spec }) => (spec?.containers[0]?.image === 'bad' ? { ready: 'never' } : {}),
    });
    const { client, clock } = cluster;
    await client.create(Deployment, web('v1', { replicas: 4 }));
    await clock.until(() => isDone(client, 4));
    await change(client, { template: web('bad').spec?.template ?? {} });
    await clock.advance(seconds(5));
    assert.equal(await imagesOf(client), 'bad,bad,v1,v1,v1');
    await change(client, { replicas: 8 });
    await clock.advance(seconds(5));
    assert.equal(await imagesOf(client), 'bad,bad,bad,bad,v1,v1,v1,v1,v1,v1');
  });

  test('adopts an orphaned ReplicaSet with its template', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    const { selector = {}, template = {} } = web('v1').spec ?? {};
    await client.create(Deployment, web('v1', { replicas: 0 }));
    await clock.advance(seconds(1));
    await client.create(ReplicaSet, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'stray', namespace: 'default', labels: { app: 'web' } },
      spec: { replicas: 0, selector, template },
    });
    await clock.advance(seconds(1));
    const stray = await client.get(ReplicaSet, { namespace: 'default', name: 'stray' });
    assert.equal(stray.metadata.ownerReferences?.[0]?.name, 'web');
  });

  test('is deleted together with its ReplicaSets and pods', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(Deployment, web('v1'));
    await clock.until(() => isDone(client, 3));
    await client.delete(Deployment, ref);
    await clock.until(async () => (await sets(client)).length + (await client.list(Pod)).items.length === 0);
  });
});
