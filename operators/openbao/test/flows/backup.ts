// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Event, Job, Secret } from '@forge/kube/kinds/builtin.ts';
import type { CatalogObserver } from '@forge/runtime/conditions/condition-catalog.ts';
import { minutes, seconds } from '@forge/runtime/environment/duration.ts';
import { prometheusMetrics } from '@forge/runtime/observability/prometheus-metrics.ts';
import { annotations } from '../../api/names.ts';
import { clusterWithBackups, jobsOf, readyForBackups, storesAfter, storeSecret, trigger } from '../backups.ts';
import { home } from '../openbao-fixture.ts';
import { changeSpec, found } from '../running-cluster.ts';
import type { StartedOpenBaoOperator } from '../start-openbao-operator.ts';

type Operator = Awaited<ReturnType<typeof readyForBackups>>;

const first = 'Idle: The first snapshot is due at 2026-01-01T00:30:00Z';
const job = 'backup-demo-20260101-003000';
const running = (name = job) => `+BackupInProgress: Backup Job ${name} is running`;
const noToken =
  'NoBackupToken: No snapshot can be made: Secret backup-token with the token for backups is missing, or has no key "token"';
const noCredentials =
  'NoStorageCredentials: No snapshot can be made: Secret s3 with the credentials of the storage server is missing';

const backupOf = async (operator: StartedOpenBaoOperator) => (await operator.resource()).status?.backup ?? {};

const reasonOf = async (operator: StartedOpenBaoOperator) => (await operator.condition('BackingUp'))?.split(':')[0];

const untilReason = (reason: string, operator: Operator) =>
  operator.cluster.clock.until(async () => (await reasonOf(operator)) === reason);

async function messagesOf(reason: string, { cluster: { client } }: Operator): Promise<(string | undefined)[]> {
  const { items } = await client.list(Event, { namespace: home.namespace });
  return items.filter((event) => event.reason === reason).map(({ message }) => message);
}

/** Snapshots on schedule, and when somebody asks for one. */
export function backupFlows(observer: CatalogObserver): void {
  test('snapshots are made on schedule, each by a Job of its own, and status and metrics tell of the last one', async () => {
    const metrics = prometheusMetrics();
    await using operator = await readyForBackups({ observer, metrics });
    await operator.untilCondition('BackingUp', first);
    await operator.untilCondition('BackingUp', running());
    const name = (await found(Job, job, operator))?.metadata.annotations?.[annotations.backupKey] ?? '';
    assert.match(name, /^default\/demo\/2026-01-01T00-30-00Z-[0-9a-f]{8}\.snap$/);
    assert.match(await metrics.text(), /openbao_backup_in_progress\{[^}]*\} 1/);
    await operator.untilCondition('BackingUp', `BackupSucceeded: Snapshot ${name} is stored`);
    await operator.cluster.clock.settle();
    assert.deepEqual(await backupOf(operator), {
      lastBackupTime: '2026-01-01T00:30:04Z',
      lastAttemptTime: '2026-01-01T00:30:00Z',
      lastAttemptScheduledTime: '2026-01-01T00:30:00Z',
      lastBackupSize: 41_000,
      lastBackupDuration: '1.25s',
      lastBackupName: name,
      nextScheduledBackup: '2026-01-01T01:00:00Z',
      consecutiveFailures: 0,
    });
    assert.deepEqual(await messagesOf('BackupSucceeded', operator), [`Snapshot ${name} is stored in bucket snapshots`]);
    await operator.cluster.clock.advance(minutes(35));
    assert.deepEqual(await jobsOf(operator), [job, 'backup-demo-20260101-010000']);
    const text = await metrics.text();
    for (const series of [
      'last_success_timestamp\\{[^}]*\\} 1767229204',
      'last_duration_seconds\\{[^}]*\\} 1.25',
      'last_size_bytes\\{[^}]*\\} 41000',
      'success_total\\{[^}]*\\} 2',
      'failure_total\\{[^}]*\\} 0',
      'consecutive_failures\\{[^}]*\\} 0',
      'in_progress\\{[^}]*\\} 0',
      'retention_deleted_total\\{[^}]*\\} 4',
    ])
      assert.match(text, new RegExp(`openbao_backup_${series}`), series);
  });

  test('a snapshot that fails counts once, says why, and the next one is made in its time', async () => {
    await using operator = await readyForBackups({ observer });
    operator.executor.behavior = () => ({
      exit: { code: 5, after: seconds(3), message: 'the bucket snapshots does not exist; hidden' },
    });
    const why = `Backup Job ${job} failed: Error: the bucket snapshots does not exist; [redacted]`;
    await operator.untilCondition('BackingUp', `BackupFailed: ${why}`);
    await operator.cluster.clock.advance(minutes(10));
    const { consecutiveFailures, lastFailureReason, lastBackupTime } = await backupOf(operator);
    assert.deepEqual([consecutiveFailures, lastFailureReason, lastBackupTime], [1, why, undefined]);
    assert.deepEqual(await messagesOf('BackupFailed', operator), [why]);
    await operator.cluster.clock.advance(minutes(20));
    assert.equal((await backupOf(operator)).consecutiveFailures, 2);
    operator.executor.behavior = storesAfter();
    await untilReason('BackupSucceeded', operator);
    const status = await backupOf(operator);
    assert.deepEqual([status.consecutiveFailures, status.lastFailureReason], [0, undefined]);
    assert.equal((await jobsOf(operator)).at(-1), 'backup-demo-20260101-013000');
  });

  test('a snapshot is made when somebody asks for one, once for each value', async () => {
    await using operator = await readyForBackups({ observer });
    await operator.untilCondition('BackingUp', first);
    await trigger('before the migration', operator);
    await untilReason('+BackupInProgress', operator);
    const [name = ''] = await jobsOf(operator);
    assert.match(name, /^backup-demo-20260101-000\d\d\d$/);
    const { annotations: marks } = (await found(Job, name, operator))?.metadata ?? {};
    assert.equal(marks?.[annotations.triggerBackup], 'before the migration');
    // A second one that comes while the first is made is made after it.
    await trigger('after it', operator);
    await operator.cluster.clock.advance(minutes(2));
    assert.equal((await jobsOf(operator)).length, 2);
    await trigger('before the migration', operator);
    await operator.cluster.clock.advance(minutes(2));
    assert.equal((await jobsOf(operator)).length, 3);
    await operator.stop();
    await operator.start();
    await operator.cluster.clock.advance(minutes(2));
    assert.equal((await jobsOf(operator)).length, 3);
    const { lastTrigger, attempt, nextScheduledBackup } = await backupOf(operator);
    assert.deepEqual(
      [lastTrigger, attempt, nextScheduledBackup],
      ['before the migration', undefined, '2026-01-01T00:30:00Z'],
    );
  });

  test('one Job serves the schedule and a person who asks at the same time', async () => {
    await using operator = await readyForBackups({ observer });
    await operator.stop();
    await operator.cluster.clock.advance(minutes(31));
    await trigger('now', operator);
    await operator.start();
    await untilReason('BackupSucceeded', operator);
    await operator.cluster.clock.advance(minutes(2));
    assert.deepEqual(await jobsOf(operator), [job]);
    const { lastTrigger, lastAttemptScheduledTime } = await backupOf(operator);
    assert.deepEqual([lastTrigger, lastAttemptScheduledTime], ['now', '2026-01-01T00:30:00Z']);
  });

  test('a snapshot waits for the Secrets that its Job needs', async () => {
    await using operator = await clusterWithBackups({ observer });
    await operator.untilCondition('BackingUp', noToken);
    await operator.cluster.clock.advance(minutes(35));
    await storeSecret('backup-token', operator);
    await operator.untilCondition('BackingUp', noCredentials);
    assert.deepEqual(await jobsOf(operator), []);
    await storeSecret('s3', operator);
    await untilReason('BackupSucceeded', operator);
    assert.deepEqual(await jobsOf(operator), [job]);
    const { client } = operator.cluster;
    await client.patch(Secret, { ...home, name: 'backup-token' }, 'merge', { data: { token: '' } });
    await operator.untilCondition('BackingUp', noToken);
  });

  test('with roles no Secret is needed', async () => {
    await using operator = await clusterWithBackups({ observer }, { jwtAuthRole: 'backup' });
    await operator.untilCondition('BackingUp', noCredentials);
    await changeSpec(operator, { backup: { target: { roleArn: 'arn:aws:iam::1:role/r' } } });
    await operator.untilCondition('BackingUp', first);
    await untilReason('BackupSucceeded', operator);
  });

  test('a schedule that cannot be followed is refused until it is corrected; what people ask for is made all the same', async () => {
    await using operator = await readyForBackups({ observer }, { schedule: '0 7 * * 7' });
    const wrong =
      /^InvalidSchedule: spec\.backup\.schedule cannot be followed: schedule "0 7 \* \* 7": day of week "7": /;
    assert.match((await operator.condition('BackingUp')) ?? '', wrong);
    const never = 'InvalidSchedule: spec.backup.schedule "0 0 30 2 *" has no time in the next five years';
    await changeSpec(operator, { backup: { schedule: '0 0 30 2 *' } });
    await operator.untilCondition('BackingUp', never);
    const dense = 'InvalidSchedule: spec.backup.schedule "0,14 0 * * 1" has times less than 15 minutes apart';
    await changeSpec(operator, { backup: { schedule: '0,14 0 * * 1' } });
    await operator.untilCondition('BackingUp', dense);
    assert.equal((await backupOf(operator)).nextScheduledBackup, undefined);
    await trigger('now', operator);
    await untilReason('+BackupInProgress', operator);
    await operator.untilCondition('BackingUp', dense);
    assert.equal((await jobsOf(operator)).length, 1);
    await changeSpec(operator, { backup: { schedule: '*/15 * * * *' } });
    await operator.cluster.clock.advance(minutes(20));
    assert.equal((await jobsOf(operator)).length, 2);
  });

  test('a slot is made up for after a restart, if it is at most fifteen minutes ago', async () => {
    await using operator = await readyForBackups({ observer });
    await operator.stop();
    await operator.cluster.clock.advance(minutes(44));
    await operator.start();
    await untilReason('BackupSucceeded', operator);
    assert.deepEqual(await jobsOf(operator), [job]);
  });

  test('a slot that is longer ago is left out, and said to be', async () => {
    await using operator = await readyForBackups({ observer });
    await operator.stop();
    await operator.cluster.clock.advance(minutes(46));
    await operator.start();
    await operator.cluster.clock.advance(seconds(30));
    assert.deepEqual(await jobsOf(operator), []);
    assert.equal((await backupOf(operator)).nextScheduledBackup, '2026-01-01T01:00:00Z');
    assert.deepEqual(await messagesOf('BackupMissed', operator), [
      'The snapshot of 2026-01-01T00:30:00Z was not made: it could not begin within 15 minutes',
    ]);
  });

  test('a changed schedule counts from now on', async () => {
    await using operator = await readyForBackups({ observer });
    await changeSpec(operator, { backup: { schedule: '10 * * * *' } });
    await operator.untilCondition('BackingUp', 'Idle: The first snapshot is due at 2026-01-01T00:10:00Z');
    await changeSpec(operator, { backup: { schedule: '0 3 * * *' } });
    await operator.untilCondition('BackingUp', 'Idle: The first snapshot is due at 2026-01-01T03:00:00Z');
    await operator.cluster.clock.advance(minutes(60));
    assert.deepEqual(await jobsOf(operator), []);
  });

  test('without spec.backup nothing is planned, and what was made stays known', async () => {
    await using operator = await readyForBackups({ observer });
    await untilReason('BackupSucceeded', operator);
    await changeSpec(operator, { backup: null });
    await operator.untilCondition('BackingUp', 'Idle: spec.backup is not set');
    await operator.cluster.clock.advance(minutes(60));
    const { nextScheduledBackup, lastBackupTime } = await backupOf(operator);
    assert.deepEqual([nextScheduledBackup, lastBackupTime], [undefined, '2026-01-01T00:30:04Z']);
    assert.equal(await reasonOf(operator), 'Idle');
  });
}
