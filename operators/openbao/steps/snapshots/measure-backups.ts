// SPDX-License-Identifier: Apache-2.0
import { parseGoDuration } from '@forge/cron/go-duration.ts';
import { backupMetrics as measured } from '../../conditions/backup-metrics.ts';
import { knownBackups, timeIn, type BackupContext } from './backup-context.ts';

type Measuring = Pick<BackupContext, 'object' | 'metrics'>;

const labelsOf = ({ object: { metadata } }: Measuring) => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});

/** Shows what status knows of snapshots, and whether one is being made. */
export function measureBackups(context: Measuring): void {
  const { object, metrics } = context;
  const labels = labelsOf(context);
  const { lastBackupTime, lastBackupDuration, lastBackupSize, consecutiveFailures, attempt } = knownBackups(object);
  const time = timeIn(lastBackupTime);
  const took = parseGoDuration(lastBackupDuration ?? '');
  if (time !== undefined) metrics.set(measured.lastSuccess, labels, time / 1000);
  if (typeof took === 'bigint') metrics.set(measured.lastDuration, labels, Number(took) / 1e9);
  if (lastBackupSize !== undefined) metrics.set(measured.lastSize, labels, lastBackupSize);
  metrics.set(measured.consecutiveFailures, labels, consecutiveFailures ?? 0);
  metrics.set(measured.inProgress, labels, attempt === undefined ? 0 : 1);
  countBackups(context, {});
}

/** Counts what has ended. */
export function countBackups(
  context: Measuring,
  { stored = 0, failed = 0, deleted = 0 }: { stored?: number; failed?: number; deleted?: number },
): void {
  const { metrics } = context;
  const labels = labelsOf(context);
  metrics.count(measured.successes, labels, stored);
  metrics.count(measured.failures, labels, failed);
  metrics.count(measured.deleted, labels, deleted);
}
