// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PersistentVolume, PersistentVolumeClaim, StorageClass } from '@forge/kube/kinds/builtin.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { testCluster } from '@forge/testing/test-cluster.ts';

const ref = { namespace: 'default', name: 'data' };
const claim: PersistentVolumeClaim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { ...ref },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

describe('a PersistentVolumeClaim', () => {
  test('gets its own volume, which is deleted with it', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(PersistentVolumeClaim, claim);
    await clock.advance(seconds(1));
    const bound = await client.get(PersistentVolumeClaim, ref);
    assert.deepEqual(bound.status, { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } });
    const volume = await client.get(PersistentVolume, { name: bound.spec?.volumeName ?? '' });
    assert.equal(volume.spec?.claimRef?.uid, bound.metadata.uid);
    assert.equal(volume.status?.phase, 'Bound');

    await client.delete(PersistentVolumeClaim, ref);
    await clock.advance(seconds(1));
    await client.create(PersistentVolumeClaim, claim);
    await clock.advance(seconds(1));
    const { items } = await client.list(PersistentVolume);
    const again = await client.get(PersistentVolumeClaim, ref);
    assert.deepEqual(
      items.map(({ spec }) => spec?.claimRef?.uid),
      [again.metadata.uid],
    );
  });

  test('of a class that there is not stays pending while the cluster has others, until there is one', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    const phaseOf = async (storageClassName: string) => {
      const metadata = { namespace: 'default', name: storageClassName };
      await client.create(PersistentVolumeClaim, { ...claim, metadata, spec: { ...claim.spec, storageClassName } });
      await clock.advance(seconds(1));
      return (await client.get(PersistentVolumeClaim, metadata)).status?.phase;
    };
    const createClass = (name: string) =>
      client.create(StorageClass, {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name },
        provisioner: 'local-folder.forge',
      });
    assert.equal(await phaseOf('any'), 'Bound');
    await createClass('fast');
    assert.equal(await phaseOf('fast'), 'Bound');
    assert.equal(await phaseOf('fats'), 'Pending');
    await createClass('fats');
    await clock.advance(seconds(1));
    const found = await client.get(PersistentVolumeClaim, { namespace: 'default', name: 'fats' });
    assert.equal(found.status?.phase, 'Bound');
  });

  test('that names a volume is not bound to another', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(PersistentVolumeClaim, { ...claim, spec: { ...claim.spec, volumeName: 'mine' } });
    await clock.advance(seconds(1));
    assert.deepEqual((await client.list(PersistentVolume)).items, []);
  });

  test('that names the volume of another claim stays pending, and one that names a free volume is bound', async () => {
    await using cluster = await testCluster();
    const { client, clock } = cluster;
    await client.create(PersistentVolumeClaim, claim);
    await clock.advance(seconds(1));
    const { spec } = await client.get(PersistentVolumeClaim, ref);
    const thief = { namespace: 'default', name: 'thief' };
    const naming = (volumeName: string) => ({ ...claim, metadata: thief, spec: { ...claim.spec, volumeName } });
    await client.create(PersistentVolumeClaim, naming(spec?.volumeName ?? ''));
    await clock.advance(seconds(1));
    assert.notEqual((await client.get(PersistentVolumeClaim, thief)).status?.phase, 'Bound');

    await client.delete(PersistentVolumeClaim, thief);
    await client.create(PersistentVolume, {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'free' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        csi: { driver: 'local-folder.forge', volumeHandle: 'free' },
      },
    });
    const { metadata } = await client.create(PersistentVolumeClaim, naming('free'));
    await clock.advance(seconds(1));
    assert.equal((await client.get(PersistentVolumeClaim, thief)).status?.phase, 'Bound');
    const { spec: free } = await client.get(PersistentVolume, { name: 'free' });
    assert.equal(free?.claimRef?.uid, metadata.uid);
  });
});
