// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PersistentVolume, PersistentVolumeClaim, Pod } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { testCluster } from '@forge/testing/test-cluster.ts';

const ref = { namespace: 'default', name: 'data' };

test('a deleted claim stays until the last pod that uses it is gone, and its volume is deleted with it', async () => {
  await using cluster = await testCluster();
  const { client, clock } = cluster;
  await client.create(PersistentVolumeClaim, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...ref },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });
  await client.create(Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'default', name: 'user' },
    spec: {
      containers: [{ name: 'main', image: 'example:1' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  });
  await clock.advance(seconds(5));
  await client.delete(PersistentVolumeClaim, ref);
  await clock.advance(seconds(5));
  assert.notEqual((await client.get(PersistentVolumeClaim, ref)).metadata.deletionTimestamp, undefined);
  assert.equal((await client.list(PersistentVolume)).items.length, 1);

  await client.delete(Pod, { namespace: 'default', name: 'user' });
  await clock.advance(seconds(60));
  assert.equal(await client.find(PersistentVolumeClaim, ref), undefined);
  assert.deepEqual((await client.list(PersistentVolume)).items, []);
});
