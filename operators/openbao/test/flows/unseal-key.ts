// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PersistentVolumeClaim, Pod, Secret, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { annotations } from '../../api/names.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { home, openbaoFixture } from '../openbao-fixture.ts';
import { allReady, changeSpec, found, membersUnknown, prerequisitesReady, runningCluster } from '../running-cluster.ts';
import { startOpenBaoOperator, type StartedOpenBaoOperator } from '../start-openbao-operator.ts';

const unsealKey = { ...home, name: 'demo-unseal-key' };
const missing =
  '+UnsealKeyMissing: Secret demo-unseal-key with the unseal key is missing, or empty; no pod is started or changed until it is restored: copy /etc/bao/unseal/key from a running pod, or a backup, to its key "key"';
const mismatch =
  '+UnsealKeyMismatch: Secret demo-unseal-key does not hold the key that unseals the data; no pod is started or changed until it does: delete it, and create it again with /etc/bao/unseal/key of a running pod, or a backup, as its key "key"';

const secretWith = (key: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: unsealKey,
  data: { key },
});

/** The uids of the pods. */
async function podsOf({ cluster }: StartedOpenBaoOperator): Promise<string[]> {
  const { items } = await cluster.client.list(Pod, { namespace: home.namespace });
  return items.map(({ metadata }) => metadata.uid ?? '').toSorted();
}

/** The key of the static seal, which is never made twice. */
export function unsealKeyFlows(observer: CatalogObserver): void {
  test('a key that is missing holds every change of the pods, and restarts none; restored, it goes on', async () => {
    await using operator = await runningCluster({ observer });
    const { client, clock } = operator.cluster;
    const pods = await podsOf(operator);
    const { data = {} } = await client.get(Secret, unsealKey);
    await client.delete(Secret, unsealKey);
    await operator.untilCondition('Degraded', missing);
    await changeSpec(operator, { replicas: 5 });
    await clock.advance(seconds(20));
    assert.equal(await found(Secret, unsealKey.name, operator), undefined);
    assert.equal((await found(StatefulSet, 'demo', operator))?.spec?.replicas, 3);
    assert.deepEqual(await podsOf(operator), pods);
    await client.create(Secret, secretWith(data['key'] ?? ''));
    await operator.untilCondition('Degraded', membersUnknown);
    // Nobody overwrites it, of which pods would see the other key.
    assert.equal((await client.get(Secret, unsealKey)).immutable, true);
    await operator.untilCondition('Available', '+AllReplicasReady: 5 of 5 pods are ready');
    assert.deepEqual(
      (await podsOf(operator)).filter((uid) => pods.includes(uid)),
      pods,
    );
  });

  test('another key is not taken for the one that unseals the data', async () => {
    await using operator = await runningCluster({ observer }, { replicas: 1 });
    const { client, clock } = operator.cluster;
    const pods = await podsOf(operator);
    const { status } = await operator.resource();
    const { data = {} } = await client.get(Secret, unsealKey);
    await client.delete(Secret, unsealKey);
    await client.create(Secret, secretWith(Buffer.alloc(32, 'x').toString('base64')));
    await operator.untilCondition('Degraded', mismatch);
    await clock.advance(seconds(20));
    assert.deepEqual(await podsOf(operator), pods);
    assert.equal((await operator.resource()).status?.unsealKeyFingerprint, status?.unsealKeyFingerprint);
    await client.delete(Secret, unsealKey);
    await client.create(Secret, secretWith(data['key'] ?? ''));
    await operator.untilCondition('Degraded', prerequisitesReady);
  });

  test('a Secret without a key is not taken for one, also before there is data', async () => {
    await using operator = await startOpenBaoOperator({ observer });
    const { client } = operator.cluster;
    await client.create(Secret, secretWith(''));
    await client.create(OpenBaoCluster, openbaoFixture({ replicas: 1 }));
    await operator.untilCondition('Degraded', missing);
    assert.equal((await operator.resource()).status?.unsealKeyFingerprint, undefined);
    assert.equal(await found(StatefulSet, 'demo', operator), undefined);
    await client.delete(Secret, unsealKey);
    await operator.untilCondition('Available', allReady(1));
  });

  test('the fingerprint in status is enough to recognise it, also when those on the claims are lost', async () => {
    await using operator = await runningCluster({ observer }, { replicas: 1 });
    const { client } = operator.cluster;
    await client.patch(PersistentVolumeClaim, { ...home, name: 'data-demo-0' }, 'merge', {
      metadata: { annotations: { [annotations.unsealKeyFingerprint]: null } },
    });
    await client.delete(Secret, unsealKey);
    await client.create(Secret, secretWith(Buffer.alloc(32, 'x').toString('base64')));
    await operator.untilCondition('Degraded', mismatch);
  });

  test('the key of servers that run is not made again, even if somebody has removed their claims by force', async () => {
    await using operator = await runningCluster({ observer }, { replicas: 1 });
    const { client } = operator.cluster;
    const claim = { ...home, name: 'data-demo-0' };
    await client.patch(PersistentVolumeClaim, claim, 'merge', { metadata: { finalizers: null } });
    await client.delete(PersistentVolumeClaim, claim);
    await client.delete(Secret, unsealKey);
    await operator.untilCondition('Degraded', missing);
    assert.equal(await found(Secret, unsealKey.name, operator), undefined);
  });

  test('the fingerprint on a claim is enough to recognise it, also when status is lost', async () => {
    await using operator = await runningCluster({ observer }, { replicas: 1 });
    const { status } = await operator.resource();
    const claim = await found(PersistentVolumeClaim, 'data-demo-0', operator);
    assert.equal(claim?.metadata.annotations?.[annotations.unsealKeyFingerprint], status?.unsealKeyFingerprint);
  });
}
