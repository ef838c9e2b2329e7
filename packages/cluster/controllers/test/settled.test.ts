// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deployment, Job, PersistentVolumeClaim, Pod, Service, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { testCluster } from '@forge/testing/test-cluster.ts';
import { db, volumeClaimTemplates, web, work } from './manifests.ts';

test('a settled cluster sends no requests to its API server, with or without resync', async () => {
  await using cluster = await testCluster();
  const { client, clock, controllers } = cluster;
  const metadata = { name: 'web', namespace: 'default' };
  await client.create(Service, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  });
  await client.create(PersistentVolumeClaim, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata,
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });
  await client.create(Job, work());
  const persistentVolumeClaimRetentionPolicy = { whenDeleted: 'Delete', whenScaled: 'Delete' };
  await client.create(StatefulSet, db('v1', { volumeClaimTemplates, persistentVolumeClaimRetentionPolicy }));
  for (const image of ['v1', 'v2']) {
    await client.apply(Deployment, web(image, { strategy: { type: 'Recreate' } }), { fieldManager: 'test' });
    await clock.advance(seconds(30));
  }
  assert.equal((await client.list(Pod)).items.length, 7);
  const before = controllers.requests.length;
  await clock.advance(seconds(1300));
  assert.ok(before > 0);
  assert.deepEqual(controllers.requests.slice(before), []);
});
