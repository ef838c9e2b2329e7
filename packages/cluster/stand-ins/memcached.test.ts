// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Deployment, Service } from '@forge/kube/kinds/builtin.ts';
import { Memcached } from '@forge/kube/third-party/memcached.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { memcachedOperator } from './memcached.ts';
import { standInCluster, type StandInCluster } from './test/stand-in-cluster.ts';

const ref = { namespace: 'default', name: 'cache' };
const memcached = (spec: Memcached['spec']): Memcached => ({
  apiVersion: 'memcached.c5c3.io/v1beta1',
  kind: 'Memcached',
  metadata: ref,
  spec,
});

describe('a Memcached', () => {
  let cluster: StandInCluster;

  beforeEach(async () => {
    cluster = await standInCluster(memcachedOperator);
  });

  afterEach(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  const setReady = async (readyReplicas: number) => {
    const { metadata } = await cluster.client.get(Deployment, ref);
    const status = {
      observedGeneration: metadata.generation,
      replicas: readyReplicas,
      updatedReplicas: readyReplicas,
      readyReplicas,
      availableReplicas: readyReplicas,
    };
    await cluster.client.patch(Deployment, ref, 'merge', { status }, { subresource: 'status' });
    await cluster.clock.settle();
  };
  const reasons = async () =>
    (await cluster.client.get(Memcached, ref)).status?.conditions?.map(({ status, reason }) => `${status} ${reason}`);

  test('is a Deployment behind a headless Service, Ready when all its pods are', async () => {
    await cluster.client.create(Memcached, memcached({ replicas: 3 }));
    await cluster.clock.settle();
    const { spec, metadata } = await cluster.client.get(Service, ref);
    assert.equal(spec?.clusterIP, 'None');
    assert.deepEqual(
      spec.ports?.map(({ name, port }) => [name, port]),
      [['memcached', 11_211]],
    );
    assert.equal(metadata.ownerReferences?.[0]?.kind, 'Memcached');
    const all = ['False Unavailable', 'True Progressing', 'True Degraded', 'False MemcachedNotReady'];
    assert.deepEqual(await reasons(), all);
    await setReady(1);
    const some = ['True Available', 'True Progressing', 'True Degraded', 'False MemcachedNotReady'];
    assert.deepEqual(await reasons(), some);
    assert.deepEqual((await cluster.client.get(Memcached, ref)).status?.serverList, []);
    await setReady(3);
    const none = ['True Available', 'False ProgressingComplete', 'False NotDegraded', 'True MemcachedReady'];
    assert.deepEqual(await reasons(), none);
    const { status } = await cluster.client.get(Memcached, ref);
    assert.deepEqual(status?.serverList, ['cache.default:11211']);
    assert.deepEqual(new Set(status.conditions?.map(({ observedGeneration }) => observedGeneration)), new Set([1]));
  });

  test('follows changes of replicas, is never Ready without any, and is deleted with its objects', async () => {
    await cluster.client.create(Memcached, memcached({}));
    await cluster.clock.settle();
    await setReady(1);
    await cluster.client.patch(Memcached, ref, 'merge', { spec: { replicas: 0 } });
    await cluster.clock.settle();
    assert.equal((await cluster.client.get(Deployment, ref)).spec?.replicas, 0);
    await setReady(0);
    assert.equal((await reasons())?.at(-1), 'False MemcachedNotReady');
    await cluster.client.delete(Memcached, ref);
    await cluster.clock.advance(seconds(1));
    assert.equal(await cluster.client.find(Deployment, ref), undefined);
  });

  test('follows changes of its settings', async () => {
    await cluster.client.create(Memcached, memcached({ resources: { limits: { memory: '128Mi' } } }));
    await cluster.clock.settle();
    const container = async () => (await cluster.client.get(Deployment, ref)).spec?.template.spec?.containers[0];
    assert.deepEqual((await container())?.args, ['-m', '64', '-c', '1024', '-t', '4', '-I', '1m']);
    const options = { maxMemoryMB: 32, verbosity: 2, extraArgs: ['-o', 'modern'] };
    const resources = { limits: { memory: '64Mi' } };
    await cluster.client.patch(Memcached, ref, 'merge', { spec: { memcached: options, resources } });
    await cluster.clock.settle();
    const { args, resources: limited } = (await container()) ?? {};
    assert.deepEqual(args, ['-m', '32', '-c', '1024', '-t', '4', '-I', '1m', '-vv', '-o', 'modern']);
    assert.deepEqual(limited, resources);
    const { generation } = (await cluster.client.get(Deployment, ref)).metadata;
    await setReady(1);
    assert.equal((await cluster.client.get(Deployment, ref)).metadata.generation, generation, 'is not written again');
    await cluster.client.patch(Memcached, ref, 'merge', { spec: { memcached: { threads: 2 } } });
    await cluster.clock.settle();
    assert.deepEqual((await container())?.args?.slice(4, 6), ['-t', '2']);
  });

  test('is refused with values out of bounds, or with less memory than it may use', async () => {
    const refused = (spec: Memcached['spec'], message: RegExp) =>
      assert.rejects(cluster.client.create(Memcached, memcached(spec)), message);
    await refused({ replicas: 65 }, /replicas/);
    await refused({ memcached: { maxItemSize: '1g' } }, /maxItemSize/);
    await refused({ resources: { limits: { memory: '64Mi' } } }, /memory limit/);
    await refused({ replicas: 3, autoscaling: { enabled: true } }, /mutually exclusive/);
    await cluster.client.create(Memcached, memcached({ resources: { limits: { memory: '96Mi' } } }));
  });

  test('is progressing while outdated pods are ready, and not Ready before a change is observed', async () => {
    await cluster.client.create(Memcached, memcached({ replicas: 2 }));
    await cluster.clock.settle();
    await setReady(2);
    const setStatus = async (status: object) => {
      await cluster.client.patch(Deployment, ref, 'merge', { status }, { subresource: 'status' });
      await cluster.clock.settle();
    };
    await cluster.client.patch(Memcached, ref, 'merge', { spec: { image: 'memcached:1.6.39' } });
    await cluster.clock.settle();
    assert.deepEqual((await reasons())?.slice(1), ['True Progressing', 'False NotDegraded', 'False MemcachedNotReady']);
    const { generation } = (await cluster.client.get(Deployment, ref)).metadata;
    await setStatus({ observedGeneration: generation, updatedReplicas: 1 });
    assert.deepEqual((await reasons())?.slice(1), ['True Progressing', 'False NotDegraded', 'True MemcachedReady']);
    await setReady(2);
    assert.equal((await reasons())?.[1], 'False ProgressingComplete');
  });

  test('follows changes of only its resources', async () => {
    await cluster.client.create(Memcached, memcached({}));
    await cluster.clock.settle();
    const resources = { limits: { memory: '128Mi' } };
    await cluster.client.patch(Memcached, ref, 'merge', { spec: { resources } });
    await cluster.clock.settle();
    const { spec } = await cluster.client.get(Deployment, ref);
    assert.deepEqual(spec?.template.spec?.containers[0]?.resources, resources);
  });
});
