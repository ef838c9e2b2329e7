// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Pod, Secret } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { annotations, componentLabel, components } from '../../api/names.ts';
import { OpenBaoCluster } from '../../api/openbao-cluster.ts';
import { jobsOf, readyForBackups, storesAfter, trigger } from '../backups.ts';
import { home } from '../openbao-fixture.ts';
import { changeSpec } from '../running-cluster.ts';
import { imagesOf, untilUpgrading, upgraded } from '../upgrades.ts';

type Operator = Awaited<ReturnType<typeof readyForBackups>>;

const before = async (operator: Operator) => (await jobsOf(operator)).filter((name) => name.startsWith('pre-upgrade'));

const retry = ({ cluster: { client } }: Operator, value: string) =>
  client.patch(OpenBaoCluster, home, 'merge', { metadata: { annotations: { [annotations.retryUpgrade]: value } } });

/** Upgrades and snapshots. */
export function upgradeSnapshotFlows(observer: CatalogObserver): void {
  test('an upgrade to another version begins with a snapshot, once, and other changes do not', async () => {
    await using operator = await readyForBackups({ observer }, { preUpgradeSnapshot: true });
    await changeSpec(operator, { config: { log_level: 'debug' } });
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.7.2'));
    assert.deepEqual(await before(operator), []);
    operator.executor.behavior = storesAfter(minutes(2));
    await changeSpec(operator, { version: '2.8.0' });
    await operator.untilCondition(
      'Upgrading',
      'ClusterNotReady: The upgrade to 2.8.0 waits for the snapshot before it',
    );
    const [job = ''] = await before(operator);
    assert.equal(await operator.condition('BackingUp'), `+BackupInProgress: Backup Job ${job} is running`);
    assert.deepEqual(await imagesOf(operator), ['openbao/openbao:2.7.2']);
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.8.0'));
    assert.deepEqual(await before(operator), [job]);
    const { preUpgrade, lastBackupName } = (await operator.resource()).status?.backup ?? {};
    assert.deepEqual([preUpgrade?.targetVersion, preUpgrade?.result], ['2.8.0', 'Succeeded']);
    assert.match(lastBackupName ?? '', /^default\/demo\/pre-upgrade-/);
  });

  test('a snapshot that fails keeps the upgrade from beginning until somebody asks for it again', async () => {
    await using operator = await readyForBackups({ observer }, { preUpgradeSnapshot: true, schedule: '0 3 * * *' });
    operator.executor.behavior = () => ({ exit: { code: 5, after: seconds(3), message: 'no such bucket' } });
    await changeSpec(operator, { version: '2.8.0' });
    const waits =
      'PreUpgradeBackupFailed: The upgrade to 2.8.0 waits for the snapshot before it, which failed: Degraded says why';
    await operator.untilCondition('Upgrading', waits);
    assert.match(
      (await operator.condition('Degraded')) ?? '',
      /^\+PreUpgradeBackupFailed: .*Backup Job pre-upgrade-backup-demo-\S+ failed: Error: no such bucket$/,
    );
    await operator.cluster.clock.advance(minutes(30));
    assert.equal((await before(operator)).length, 1);
    assert.deepEqual(await imagesOf(operator), ['openbao/openbao:2.7.2']);
    await retry(operator, '1');
    await operator.cluster.clock.until(async () => (await before(operator)).length === 2);
    await operator.untilCondition('Upgrading', waits);
    operator.executor.behavior = storesAfter();
    await changeSpec(operator, { backup: { schedule: '0 4 * * *' } });
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.8.0'));
    assert.equal((await before(operator)).length, 3);
    assert.ok((await operator.events()).includes('PreUpgradeBackupFailed'));
  });

  test('an upgrade without the token for its snapshot waits for it', async () => {
    await using operator = await readyForBackups({ observer }, { preUpgradeSnapshot: true });
    const { client } = operator.cluster;
    const token = { ...home, name: 'backup-token' };
    const { data = {} } = await client.get(Secret, token);
    await client.patch(Secret, token, 'merge', { data: { token: '' } });
    await changeSpec(operator, { version: '2.8.0' });
    await operator.cluster.clock.until(async () =>
      /^\+PreUpgradeBackupFailed: .*Secret backup-token/.test((await operator.condition('Degraded')) ?? ''),
    );
    await client.patch(Secret, token, 'merge', { data });
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.8.0'));
  });

  test('an upgrade that is taken back lets the snapshot before it end', async () => {
    await using operator = await readyForBackups({ observer }, { preUpgradeSnapshot: true });
    operator.executor.behavior = storesAfter(minutes(2));
    await changeSpec(operator, { version: '2.8.0' });
    await operator.untilCondition(
      'Upgrading',
      'ClusterNotReady: The upgrade to 2.8.0 waits for the snapshot before it',
    );
    await changeSpec(operator, { version: '2.7.2' });
    await operator.cluster.clock.until(
      async () => (await operator.resource()).status?.backup?.preUpgrade?.result === 'Succeeded',
    );
    await untilUpgrading(/^Idle: /, operator);
    assert.deepEqual(await imagesOf(operator), ['openbao/openbao:2.7.2']);
  });

  test('an upgrade waits for a running snapshot, and a snapshot for a pod that is being replaced, unless that is halted', async () => {
    let isStuck = true;
    const executor = { behavior: storesAfter(minutes(5)) };
    const behavior = (pod: Pod) => {
      if (pod.metadata.labels?.[componentLabel] === components.backup) return executor.behavior(pod);
      return isStuck && pod.spec?.containers[0]?.image?.endsWith('2.8.0') === true && pod.metadata.name === 'demo-2'
        ? ({ stuck: 'cannot pull' } as const)
        : undefined;
    };
    await using operator = await readyForBackups({ observer, behavior }, { schedule: '0 3 * * *' });
    await changeSpec(operator, { replicas: 3 });
    await operator.cluster.clock.advance(minutes(2));
    await trigger('first', operator);
    await operator.cluster.clock.until(async () => (await jobsOf(operator)).length === 1);
    await changeSpec(operator, { version: '2.8.0' });
    await operator.untilCondition('Upgrading', 'ClusterNotReady: The upgrade to 2.8.0 waits for the running backup');
    await operator.cluster.clock.until(async () => (await imagesOf(operator))[2]?.endsWith('2.8.0') === true);
    await trigger('second', operator);
    const waits = 'Idle: A snapshot is due, and waits for the upgrade to 2.8.0';
    await operator.untilCondition('BackingUp', waits);
    await untilUpgrading(/^PodNotReady: /, operator);
    await operator.cluster.clock.until(async () => (await jobsOf(operator)).length === 2);
    isStuck = false;
    await untilUpgrading(/^\+UpgradeInProgress: Pod demo-1.*it waits for the running backup$/, operator);
    assert.ok((await operator.resource()).status?.backup?.attempt !== undefined);
    await operator.untilCondition('Upgrading', upgraded('2.7.2', '2.8.0'));
  });
}
