// SPDX-License-Identifier: Apache-2.0
import { Job } from '@forge/kube/kinds/builtin.ts';
import { minutes } from '@forge/runtime/environment/duration.ts';
import { hasElapsed } from '@forge/runtime/environment/has-elapsed.ts';
import { runJob, stateOf } from '@forge/runtime/jobs/run-job.ts';
import { backupJob, type BackupRun } from '../../objects/backup/backup-job.ts';
import { serverPods } from '../servers.ts';
import { backupPods, type BackupContext } from './backup-context.ts';
import { secretValues } from './job-secrets.ts';

/** A snapshot that status knows of. */
interface KnownSnapshot extends Omit<BackupRun, 'replicas'> {
  /** When it began. */
  readonly since: number;
}

/** How far it is; the Job is undefined when it is gone, and its end was not seen. */
interface SnapshotProgress {
  readonly state: 'running' | 'complete' | 'failed';
  readonly job: Job | undefined;
  readonly problem?: string | undefined;
  readonly output?: string | undefined;
}

/** For how long a deleted Job is created again: as long as it could have run. After that, its result is unknown. */
const attemptEnd = minutes(40);

/** Runs the Job of a snapshot until it has ended, once. What a Job works at stays, whatever becomes of the spec. */
export async function runSnapshot(known: KnownSnapshot, context: BackupContext): Promise<SnapshotProgress> {
  const { get, clock } = context;
  const live = get(Job, known.name);
  const made = hasElapsed(known.since, attemptEnd, clock.now()) ? undefined : jobOf(known, context);
  const job = live !== undefined && (made === undefined || stateOf(live) !== 'running') ? live : made;
  if (job === undefined) return { state: 'failed', job, problem: 'it is gone, and its end was not seen' };
  const options = { pods: backupPods, retry: 'never', output: true, secrets: secretValues(context) } as const;
  const { state, problem, output } = await runJob(job, options, context);
  return { state: state === 'retrying' ? 'running' : state, job, problem, output };
}

/** The Job as the spec wants it; undefined when it wants none any more. */
function jobOf(known: KnownSnapshot, { object: cluster, select }: BackupContext): Job | undefined {
  const { backup, replicas } = cluster.spec;
  // While servers are taken away, one of them may still lead.
  const servers = Math.max(replicas, select(serverPods).length);
  return backup && backupJob(cluster, backup, { ...known, replicas: servers });
}
