// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PersistentVolumeClaim, Pod, Secret, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { annotations } from '../../api/names.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { home, openbaoFixture } from '../openbao-fixture.ts';
import { allReady, changeSpec, deleted, found, namesOf, runningCluster } from '../running-cluster.ts';
import { startOpenBaoOperator } from '../start-openbao-operator.ts';

const claims = ['data-demo-0', 'data-demo-1', 'data-demo-2'];
const external = { enabled: true, mode: 'External' } as const;
const transit = {
  type: 'transit',
  transit: { address: 'https://keys:8200', keyName: 'demo', mountPath: 'transit' },
} as const;
const isInit = (call: string) => call.endsWith('sys/init');
const gone = { spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' } } };

/** What people do to the volumes, and to what decides about them. */
export function volumeFlows(observer: CatalogObserver): void {
  test('a retention policy by which the data would go with the StatefulSet is taken back', async () => {
    await using operator = await runningCluster({ observer });
    const { client, clock } = operator.cluster;
    await client.patch(StatefulSet, home, 'merge', gone);
    await clock.advance(seconds(5));
    const { spec } = await client.get(StatefulSet, home);
    assert.deepEqual(spec?.persistentVolumeClaimRetentionPolicy, { whenDeleted: 'Retain', whenScaled: 'Retain' });
    for (const name of claims)
      assert.equal((await found(PersistentVolumeClaim, name, operator))?.metadata.ownerReferences, undefined);
  });

  test('a claim that somebody made of a snapshot stays, whatever size it has', async () => {
    const isStuck = { stuck: { reason: 'ContainerCreating' } } as const;
    await using operator = await startOpenBaoOperator({ observer, behavior: () => isStuck });
    const { client, clock } = operator.cluster;
    await client.create(OpenBaoCluster, openbaoFixture({ replicas: 1, tls: external, unseal: transit }));
    await clock.advance(seconds(5));
    const { metadata } = await client.create(PersistentVolumeClaim, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { ...home, name: 'data-demo-0' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '5Gi' } },
        storageClassName: 'fast',
        dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'yesterday' },
      },
    });
    await changeSpec(operator, { tls: { mode: 'OperatorManaged', rotationPeriod: '720h' } });
    await clock.until(async () => (await found(Pod, 'demo-0', operator)) !== undefined);
    assert.equal((await found(PersistentVolumeClaim, 'data-demo-0', operator))?.metadata.uid, metadata.uid);
  });

  test('a claim that gets data at the moment in which it would be deleted for its size stays', async () => {
    let isFirst = true;
    const isStuck = { stuck: { reason: 'ContainerCreating' } } as const;
    const marks = { metadata: { annotations: { [annotations.version]: '2.7.2' } } };
    const claim = { ...home, name: 'data-demo-0' };
    await using operator = await startOpenBaoOperator({
      observer,
      behavior: () => isStuck,
      before: async ({ method, path }) => {
        if (!isFirst || method !== 'DELETE' || !path.endsWith('/data-demo-0')) return;
        isFirst = false;
        await operator.cluster.client.patch(PersistentVolumeClaim, claim, 'merge', marks);
      },
    });
    const { client, clock } = operator.cluster;
    await client.create(OpenBaoCluster, openbaoFixture({ replicas: 1 }));
    await clock.until(async () => (await found(PersistentVolumeClaim, claim.name, operator)) !== undefined);
    const { metadata } = await client.get(PersistentVolumeClaim, claim);
    await changeSpec(operator, { storage: { size: '2Gi' } });
    await clock.until(() => !isFirst);
    await clock.advance(minutes(1));
    const { uid, deletionTimestamp } = (await client.get(PersistentVolumeClaim, claim)).metadata;
    assert.deepEqual([uid, deletionTimestamp], [metadata.uid, undefined]);
  });

  test('a volume that comes back empty is not initialised, and once its claim is deleted the cluster begins again', async () => {
    await using operator = await runningCluster({ observer }, { replicas: 1 });
    const { client, clock } = operator.cluster;
    await client.delete(Secret, { ...home, name: 'demo-root-token' });
    await deleted(operator);
    const claim = { ...home, name: 'data-demo-0' };
    const disk = operator.servers.diskOf((await client.get(PersistentVolumeClaim, claim)).metadata.uid ?? '');
    const store = disk?.store;
    delete disk?.store;
    operator.calls();
    await client.create(OpenBaoCluster, openbaoFixture({ replicas: 1 }));
    const missing =
      '+DataMissing: PersistentVolumeClaim data-demo-0 had data, and pod demo-0 finds none: bring the volume back, or delete the claim and the pod to begin again without the data';
    await operator.untilCondition('Degraded', missing);
    const waits = 'NotInitialized: Pod demo-0 finds no data on PersistentVolumeClaim data-demo-0, which had some';
    assert.equal(await operator.condition('OpenBaoInitialized'), waits);
    await clock.advance(minutes(2));
    assert.deepEqual(operator.calls().filter(isInit), []);
    assert.notEqual(store, undefined);
    await client.delete(PersistentVolumeClaim, claim);
    await client.delete(Pod, { ...home, name: 'demo-0' });
    await operator.untilCondition('Available', allReady(1));
    assert.equal(operator.calls().filter(isInit).length, 1);
  });

  test('claims that such a policy has given to the StatefulSet are taken from it before it is deleted', async () => {
    await using operator = await runningCluster({ observer });
    const { client, clock } = operator.cluster;
    await client.patch(OpenBaoCluster, home, 'merge', { spec: { paused: true } });
    await clock.advance(seconds(5));
    await client.patch(StatefulSet, home, 'merge', gone);
    await clock.advance(seconds(5));
    assert.equal((await found(PersistentVolumeClaim, 'data-demo-0', operator))?.metadata.ownerReferences?.length, 1);
    await deleted(operator);
    await clock.advance(seconds(5));
    assert.deepEqual(await namesOf(PersistentVolumeClaim, operator), claims);
  });
}
