// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '@forge/kube/client/client.ts';
import type { StatefulSetSpec } from '@forge/kube/generated/types.ts';
import { ControllerRevision, Event, PersistentVolumeClaim, Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { testCluster } from '@forge/testing/test-cluster.ts';
import { isReady } from '../../objects/pod-state.ts';
import { db, volumeClaimTemplates } from '../test/manifests.ts';
import { byRevision, templateOf } from './revisions.ts';

const ref = { namespace: 'default', name: 'db' };
const slow = { ready: seconds(10), terminationDelay: seconds(5) };

const template = (image: string): StatefulSetSpec['template'] => db(image).spec?.template ?? {};

async function podNames(client: Client): Promise<string[]> {
  return (await client.list(Pod)).items.map(({ metadata }) => metadata.name).toSorted();
}

/** The pods with their images: `db-0=v1`. */
async function images(client: Client): Promise<string> {
  const pods = (await client.list(Pod)).items;
  const texts = pods.map(({ metadata, spec }) => `${metadata.name}=${spec?.containers[0]?.image}`);
  return texts.toSorted().join(' ');
}

async function readyPods(client: Client): Promise<string[]> {
  return (await client.list(Pod)).items.filter(isReady).map(({ metadata }) => metadata.name);
}

describe('a StatefulSet', () => {
  test('creates pods one by one, each when the one before is ready', async () => {
    await using cluster = await testCluster({ behavior: () => slow });
    const { client, clock } = cluster;
    await client.create(StatefulSet, db('v1'));
    for (const names of [['db-0'], ['db-0', 'db-1'], ['db-0', 'db-1', 'db-2']]) {
      await clock.until(async () => (await podNames(client)).length === names.length);
      assert.deepEqual(await podNames(client), names);
      assert.equal((await readyPods(client)).length, names.length - 1);
    }
    await clock.until(async () => (await client.get(StatefulSet, ref)).status?.readyReplicas === 3);
    const { status } = await client.get(StatefulSet, ref);
    const revision = (await client.list(ControllerRevision)).items[0]?.metadata.name;
    assert.deepEqual(status, {
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
      observedGeneration: 1,
      currentRevision: revision,
      updateRevision: revision,
      collisionCount: 0,
    });
  });

  test('creates all pods at once when they are managed in parallel', async () => {
    await using cluster = await testCluster({ behavior: () => slow });
    const { client, clock } = cluster;
    await client.create(StatefulSet, db('v1', { podManagementPolicy: 'Parallel' }));
    await clock.advance(seconds(1));
    assert.deepEqual(await podNames(client), ['db-0', 'db-1', 'db-2']);
    assert.deepEqual(await readyPods(client), []);
  });

  test('gives each pod a DNS name, an index and a volume, which a re-created pod gets again', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(StatefulSet, db('v1', { replicas: 2, ordinals: { start: 5 }, volumeClaimTemplates }));
    await clock.until(async () => (await readyPods(client)).length === 2);
    const pod = await client.get(Pod, { namespace: 'default', name: 'db-6' });
    const { hostname, subdomain, volumes = [] } = pod.spec ?? {};
    assert.deepEqual([hostname, subdomain], ['db-6', 'db']);
    assert.deepEqual(volumes[0], { name: 'data', persistentVolumeClaim: { claimName: 'data-db-6' } });
    const { 'apps.kubernetes.io/pod-index': index, 'statefulset.kubernetes.io/pod-name': name } =
      pod.metadata.labels ?? {};
    assert.deepEqual([index, name], ['6', 'db-6']);
    const claims = (await client.list(PersistentVolumeClaim)).items;
    await client.delete(Pod, { namespace: 'default', name: 'db-6' });
    await clock.until(async () => (await readyPods(client)).length === 2);
    assert.notEqual((await client.get(Pod, { namespace: 'default', name: 'db-6' })).metadata.uid, pod.metadata.uid);
    assert.deepEqual(
      (await client.list(PersistentVolumeClaim)).items.map(({ metadata }) => metadata.uid),
      claims.map(({ metadata }) => metadata.uid),
    );
    const messages = (await client.list(Event)).items.map(({ message }) => message);
    assert.ok(messages.includes('Create Claim data-db-5 Pod db-5 in StatefulSet db success'), messages.join('\n'));
    assert.ok(messages.includes('Create Pod db-5 in StatefulSet db successful'), messages.join('\n'));
  });

  test('replaces outdated pods from the highest down, each when the one before is ready', async () => {
    await using cluster = await testCluster({ behavior: () => slow });
    const { client, clock } = cluster;
    await client.create(StatefulSet, db('v1'));
    await clock.until(async () => (await readyPods(client)).length === 3);
    await client.patch(StatefulSet, ref, 'merge', { spec: { template: template('v2') } });
    const seen: string[] = [];
    await clock.until(async () => {
      const now = await images(client);
      if (seen.at(-1) !== now) seen.push(now);
      const { status } = await client.get(StatefulSet, ref);
      return status?.currentRevision === status?.updateRevision && status?.updatedReplicas === 3;
    });
    assert.deepEqual(seen, [
      'db-0=v1 db-1=v1 db-2=v1',
      'db-0=v1 db-1=v1 db-2=v2',
      'db-0=v1 db-1=v2 db-2=v2',
      'db-0=v2 db-1=v2 db-2=v2',
    ]);
  });

  test('does not update pods below the partition, even when they are re-created', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(
      StatefulSet,
      db('v1', { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } }),
    );
    await clock.until(async () => (await readyPods(client)).length === 3);
    await client.patch(StatefulSet, ref, 'merge', { spec: { template: template('v2') } });
    await clock.advance(seconds(30));
    await client.delete(Pod, { namespace: 'default', name: 'db-0' });
    await clock.advance(seconds(30));
    assert.equal(await images(client), 'db-0=v1 db-1=v1 db-2=v2');
  });

  test('with OnDelete, updates a pod only when it is deleted', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(StatefulSet, db('v1', { updateStrategy: { type: 'OnDelete' } }));
    await clock.until(async () => (await readyPods(client)).length === 3);
    await client.patch(StatefulSet, ref, 'merge', { spec: { template: template('v2') } });
    await clock.advance(seconds(30));
    assert.equal(await images(client), 'db-0=v1 db-1=v1 db-2=v1');
    await client.delete(Pod, { namespace: 'default', name: 'db-1' });
    await clock.advance(seconds(30));
    assert.equal(await images(client), 'db-0=v1 db-1=v2 db-2=v1');
  });

  test('scales down from the highest ordinal, and retains volumes unless its policy says otherwise', async () => {
    for (const [whenScaled, left] of [
      ['Retain', ['data-db-0', 'data-db-1', 'data-db-2']],
      ['Delete', ['data-db-0']],
    ] as const) {
      await using cluster = await testCluster({ behavior: () => slow });
      const { client, clock } = cluster;
      const persistentVolumeClaimRetentionPolicy = { whenScaled, whenDeleted: 'Retain' };
      await client.create(StatefulSet, db('v1', { volumeClaimTemplates, persistentVolumeClaimRetentionPolicy }));
      await clock.until(async () => (await readyPods(client)).length === 3);
      await client.patch(StatefulSet, ref, 'merge', { spec: { replicas: 1 } });
      await clock.until(async () => (await podNames(client)).length === 2);
      assert.deepEqual(await podNames(client), ['db-0', 'db-1']);
      await clock.until(async () => (await podNames(client)).length === 1);
      await clock.advance(seconds(60));
      assert.deepEqual(
        (await client.list(PersistentVolumeClaim)).items.map(({ metadata }) => metadata.name).toSorted(),
        left,
      );
    }
  });

  test('replaces a failed pod, and records an Event about it', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(StatefulSet, db('v1', { replicas: 1 }));
    await clock.until(async () => (await readyPods(client)).length === 1);
    const pod = await client.get(Pod, { namespace: 'default', name: 'db-0' });
    await client.update(Pod, { ...pod, status: { phase: 'Failed' } }, { subresource: 'status' });
    await clock.advance(seconds(10));
    assert.notEqual((await client.get(Pod, { namespace: 'default', name: 'db-0' })).metadata.uid, pod.metadata.uid);
    const reasons = (await client.list(Event)).items.map(({ reason }) => reason);
    assert.ok(reasons.includes('SuccessfulDelete'), reasons.join());
  });

  test('makes the revision of an earlier template the newest again, and keeps no more revisions than its limit', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(StatefulSet, db('v1', { replicas: 1, revisionHistoryLimit: 1 }));
    for (const image of ['v2', 'v3', 'v4', 'v3']) {
      await clock.advance(seconds(30));
      await client.patch(StatefulSet, ref, 'merge', { spec: { template: template(image) } });
    }
    await clock.advance(seconds(30));
    const revisions = (await client.list(ControllerRevision)).items;
    const { status } = await client.get(StatefulSet, ref);
    assert.equal(revisions.length, 2);
    assert.equal(revisions.find(({ metadata }) => metadata.name === status?.updateRevision)?.revision, 5);
    assert.equal(await images(client), 'db-0=v3');
  });

  test('keeps a revision that only a pod uses, beyond its limit', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(
      StatefulSet,
      db('v1', { replicas: 2, revisionHistoryLimit: 0, updateStrategy: { type: 'OnDelete' } }),
    );
    await clock.until(async () => (await readyPods(client)).length === 2);
    await client.patch(StatefulSet, ref, 'merge', { spec: { template: template('v2') } });
    await clock.advance(seconds(30));
    await client.delete(Pod, { namespace: 'default', name: 'db-1' });
    for (const image of ['v3', 'v4']) {
      await clock.advance(seconds(30));
      await client.patch(StatefulSet, ref, 'merge', { spec: { template: template(image) } });
    }
    await clock.advance(seconds(30));
    assert.equal(await images(client), 'db-0=v1 db-1=v2');
    const kept = (await client.list(ControllerRevision)).items.toSorted(byRevision).map(templateOf);
    assert.deepEqual(
      kept.map(({ spec }) => spec?.containers[0]?.image),
      ['v1', 'v2', 'v4'],
    );
  });
});
