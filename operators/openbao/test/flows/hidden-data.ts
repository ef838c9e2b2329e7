// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PersistentVolumeClaim, Secret, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { home, openbaoFixture } from '../openbao-fixture.ts';
import { allReady, changeSpec, deleted, found, namesOf, runningCluster } from '../running-cluster.ts';
import { startOpenBaoOperator, type StartedOpenBaoOperator } from '../start-openbao-operator.ts';

const at = (name: string) => ({ ...home, name });
const inits = (operator: StartedOpenBaoOperator) => operator.calls().filter((call) => call.endsWith('sys/init'));

/** Takes the label off a claim by which it belongs to the cluster. */
const unlabel = ({ cluster }: StartedOpenBaoOperator, claim: string) =>
  cluster.client.patch(PersistentVolumeClaim, at(claim), 'merge', {
    metadata: { labels: { 'openbao.org/cluster': null } },
  });

/** Data that does not look like the cluster's at first sight. */
export function hiddenDataFlows(observer: CatalogObserver): void {
  test('a claim without its labels is data all the same: no second cluster and no second key are made', async () => {
    await using operator = await runningCluster({ observer }, { replicas: 2 });
    const { client, clock } = operator.cluster;
    await clock.advance(seconds(20));
    await deleted(operator);
    operator.calls();
    await unlabel(operator, 'data-demo-1');
    await client.delete(PersistentVolumeClaim, at('data-demo-0'));
    await client.delete(Secret, at('demo-root-token'));
    const key = await client.get(Secret, at('demo-unseal-key'));
    await client.delete(Secret, at('demo-unseal-key'));
    await client.create(OpenBaoCluster, openbaoFixture({ replicas: 2 }));
    await clock.until(async () => (await operator.condition('Degraded'))?.startsWith('+UnsealKeyMissing'));
    await client.create(Secret, { ...key, metadata: at('demo-unseal-key') });
    await operator.untilCondition(
      'OpenBaoInitialized',
      'NotInitialized: Pod demo-0 has no data and waits to join the pods that have it',
    );
    await clock.advance(seconds(30));
    assert.deepEqual(inits(operator), []);
  });

  test('servers start with the key, the version and the number that hidden claims call for', async () => {
    await using operator = await runningCluster({ observer });
    const { client, clock } = operator.cluster;
    await clock.advance(seconds(20));
    await deleted(operator);
    operator.calls();
    await unlabel(operator, 'data-demo-1');
    await unlabel(operator, 'data-demo-2');
    await client.delete(PersistentVolumeClaim, at('data-demo-0'));
    const { data = {} } = await client.get(Secret, at('demo-unseal-key'));
    const withKey = (key: string) =>
      client.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata: at('demo-unseal-key'), data: { key } });
    await client.delete(Secret, at('demo-unseal-key'));
    await withKey(Buffer.alloc(32, 'x').toString('base64'));
    await client.create(OpenBaoCluster, openbaoFixture({ version: '2.6.2' }));
    await clock.until(async () => (await operator.condition('Degraded'))?.startsWith('+UnsealKeyMismatch: '));
    assert.equal((await operator.resource()).status?.unsealKeyFingerprint, undefined);
    await client.delete(Secret, at('demo-unseal-key'));
    await withKey(data['key'] ?? '');
    await operator.untilCondition('Degraded', '+DowngradeBlocked: Downgrade from 2.7.2 to 2.6.2 is not allowed');
    assert.deepEqual(await namesOf(StatefulSet, operator), []);
    await changeSpec(operator, { version: '2.7.2' });
    await operator.untilCondition('Available', allReady(3));
    assert.deepEqual(inits(operator), []);
  });

  test('the version that ran is remembered without claims, too', async () => {
    await using operator = await runningCluster({ observer }, { replicas: 1 });
    await operator.cluster.clock.settle();
    await unlabel(operator, 'data-demo-0');
    await changeSpec(operator, { version: '2.6.2' });
    await operator.untilCondition('Degraded', '+DowngradeBlocked: Downgrade from 2.7.2 to 2.6.2 is not allowed');
  });

  test('a deletion with the claims leaves one whose label was taken off, and its key', async () => {
    await using operator = await runningCluster({ observer }, { replicas: 1, deletionPolicy: 'DeletePVCs' });
    await unlabel(operator, 'data-demo-0');
    await deleted(operator);
    assert.deepEqual(await namesOf(PersistentVolumeClaim, operator), ['data-demo-0']);
    assert.notEqual(await found(Secret, 'demo-unseal-key', operator), undefined);
  });

  test('a claim of an earlier cluster stays when another size is wanted, whatever is written on it', async () => {
    await using operator = await runningCluster({ observer }, { replicas: 1 });
    const { client, clock } = operator.cluster;
    await clock.advance(seconds(20));
    await deleted(operator);
    const { metadata } = await client.patch(PersistentVolumeClaim, at('data-demo-0'), 'merge', {
      metadata: { annotations: { 'openbao.org/version': null } },
    });
    await client.create(OpenBaoCluster, openbaoFixture({ replicas: 1, storage: { size: '2Gi' } }));
    await operator.untilCondition('Available', allReady(1));
    assert.equal((await found(PersistentVolumeClaim, 'data-demo-0', operator))?.metadata.uid, metadata.uid);
  });

  test('nothing is initialised on a volume that goes', async () => {
    await using operator = await startOpenBaoOperator({ observer });
    const { client, clock } = operator.cluster;
    await client.create(OpenBaoCluster, openbaoFixture({ replicas: 1 }));
    await operator.untilCondition('OpenBaoInitialized', 'NotInitialized: Waiting for pod demo-0 to start');
    const allow = await operator.deny('create', Secret);
    await clock.until(async () => (await found(PersistentVolumeClaim, 'data-demo-0', operator)) !== undefined);
    await client.delete(PersistentVolumeClaim, at('data-demo-0'));
    await allow();
    await operator.untilCondition(
      'OpenBaoInitialized',
      'NotInitialized: PersistentVolumeClaim data-demo-0 is being deleted: delete pod demo-0, so that both are made again',
    );
    assert.deepEqual(inits(operator), []);
  });

  test('data of the static seal is not given to servers with another one', async () => {
    await using operator = await runningCluster({ observer }, { replicas: 1 });
    const { client } = operator.cluster;
    await deleted(operator);
    const unseal = {
      type: 'transit',
      transit: { address: 'https://vault.example:8200', keyName: 'k', mountPath: 'transit' },
    } as const;
    await client.create(OpenBaoCluster, openbaoFixture({ replicas: 1, unseal }));
    await operator.untilCondition(
      'Degraded',
      '+UnsealKeyMismatch: The data is sealed with the key in Secret demo-unseal-key, which a seal of type transit cannot open: set spec.unseal.type to static',
    );
    await changeSpec(operator, { unseal: { type: 'static', transit: null } });
    await operator.untilCondition('Available', allReady(1));
  });
}
