// SPDX-License-Identifier: Apache-2.0
import type { Job } from '@forge/kube/kinds/builtin.ts';
import { now } from '@forge/runtime/environment/duration.ts';
import { degraded, ready } from '@forge/runtime/steps/outcome.ts';
import { backingUp, backupEvents } from '../../conditions/backing-up.ts';
import {
  knownBackups,
  timeIn,
  type Attempt,
  type BackupContext,
  type BackupOutcome,
  type BackupStatus,
} from '../snapshots/backup-context.ts';
import { missingSecret } from '../snapshots/job-secrets.ts';
import { countBackups } from '../snapshots/measure-backups.ts';
import { runSnapshot } from '../snapshots/snapshot-job.ts';
import { snapshotResult } from '../snapshots/snapshot-result.ts';

/** As much of a failure as a condition shows. */
const maxReason = 256;

/** Follows a snapshot until it has ended, and accounts for it once. */
export async function followSnapshot(attempt: Attempt, context: BackupContext): Promise<BackupOutcome> {
  const { job: name, time, trigger } = attempt;
  const since = timeIn(knownBackups(context.object).lastAttemptTime) ?? 0;
  const { state, job, problem, output } = await runSnapshot({ name, time: new Date(time), trigger, since }, context);
  if (state === 'failed' || job === undefined) return failed(attempt, problem, context);
  if (state === 'complete') return stored(job, output, context);
  return degraded(backingUp.inProgress({ job: attempt.job }, missingFor(context) ?? problem));
}

function missingFor(context: BackupContext): string | undefined {
  const { backup } = context.object.spec;
  return backup && missingSecret(backup, context)?.message;
}

function stored(job: Job, output: string | undefined, context: BackupContext): BackupOutcome {
  const { object: cluster } = context;
  const result = snapshotResult(job, output);
  const {
    attempt: _,
    lastFailureReason: __,
    lastBackupSize: ___,
    lastBackupDuration: ____,
    ...known
  } = knownBackups(cluster);
  const backup: BackupStatus = { ...known, ...result.stored, consecutiveFailures: 0 };
  countBackups(context, { stored: 1, deleted: result.deleted });
  const name = backup.lastBackupName ?? '';
  const event = backupEvents.succeeded({ name, bucket: cluster.spec.backup?.target.bucket ?? '' });
  return ready(backingUp.succeeded({ name }), { status: { backup }, event, recheck: now });
}

function failed({ job }: Attempt, problem: string | undefined, context: BackupContext): BackupOutcome {
  const { attempt: _, ...known } = knownBackups(context.object);
  const cause = `Backup Job ${job} failed${problem === undefined ? '' : `: ${problem}`}`.slice(0, maxReason);
  const consecutiveFailures = (known.consecutiveFailures ?? 0) + 1;
  countBackups(context, { failed: 1 });
  const status = { backup: { ...known, consecutiveFailures, lastFailureReason: cause } };
  return ready(backingUp.failed({ cause }), { status, event: backupEvents.failed({ cause }), recheck: now });
}
