// SPDX-License-Identifier: Apache-2.0
import { Job } from '@forge/kube/kinds/builtin.ts';
import { minutes, now } from '@forge/runtime/environment/duration.ts';
import { hasElapsed } from '@forge/runtime/environment/has-elapsed.ts';
import { runJob, stateOf } from '@forge/runtime/jobs/run-job.ts';
import { degraded, ready } from '@forge/runtime/steps/outcome.ts';
import { backingUp, backupEvents } from '../../conditions/backing-up.ts';
import { backupJob } from '../../objects/backup/backup-job.ts';
import { serverPods } from '../servers.ts';
import {
  backupPods,
  knownBackups,
  timeIn,
  type Attempt,
  type BackupContext,
  type BackupOutcome,
  type BackupStatus,
} from './backup-context.ts';
import { countBackups } from './measure-backups.ts';
import { missingSecret, secretValues } from './obstacles.ts';
import { snapshotResult } from './snapshot-result.ts';

/** For how long a deleted Job is created again: as long as it could have run. After that, its result is unknown. */
const attemptEnd = minutes(40);

/** As much of a failure as a condition shows. */
const maxReason = 256;

/** Runs the Job of a snapshot until it has ended, once. What a Job works at stays, whatever becomes of the spec. */
export async function followSnapshot(attempt: Attempt, context: BackupContext): Promise<BackupOutcome> {
  const { object: cluster, get, clock } = context;
  const live = get(Job, attempt.job);
  const since = timeIn(knownBackups(cluster).lastAttemptTime) ?? 0;
  const made = hasElapsed(since, attemptEnd, clock.now()) ? undefined : jobOf(attempt, context);
  const job = live !== undefined && (made === undefined || stateOf(live) !== 'running') ? live : made;
  if (job === undefined) return failed(attempt, 'it is gone, and its end was not seen', context);
  const options = { pods: backupPods, retry: 'never', output: true, secrets: secretValues(context) } as const;
  const { state, problem, output } = await runJob(job, options, context);
  if (state === 'complete') return stored(job, output, context);
  if (state === 'failed') return failed(attempt, problem, context);
  return degraded(backingUp.inProgress({ job: attempt.job }, missingFor(context) ?? problem));
}

/** The Job as the spec wants it; undefined when it wants none any more. */
function jobOf({ job: name, time, trigger }: Attempt, { object: cluster, select }: BackupContext): Job | undefined {
  const { backup, replicas } = cluster.spec;
  // While servers are taken away, one of them may still lead.
  const servers = Math.max(replicas, select(serverPods).length);
  const run = { name, time: new Date(time), trigger, replicas: servers };
  return backup && backupJob(cluster, backup, run);
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
