// SPDX-License-Identifier: Apache-2.0
import { Job } from '@forge/kube/kinds/builtin.ts';
import { jobKeyOf } from '@forge/runtime/jobs/job-key.ts';
import { haveNeverRun } from '@forge/runtime/jobs/pod-problem.ts';
import { imageTagOf, phaseJobName } from '../../objects/jobs/database-jobs.ts';
import type { DatabaseContext } from './database-context.ts';
import { isSameRelease, type Upgrade } from './release-decision.ts';
import { databaseJobPods } from './run-database-job.ts';

/** The Job before it is created. */
const pending = 'pending';

type ExpandFacts = { expandedRelease: string } | { expandJob: string | undefined };

/**
 * What status must record before the expand Job is created or replaced; nothing when it is recorded. Once the Job may have
 * changed the schema, db_sync of the old release fails. Pods are read only when the Job is about to be replaced.
 */
export async function expandFacts(
  upgrade: Upgrade,
  desired: Job,
  context: DatabaseContext,
): Promise<ExpandFacts | undefined> {
  const { expandedRelease, expandJob: known } = context.object.status ?? {};
  if (expandedRelease !== undefined && isSameRelease(expandedRelease, upgrade.to)) return undefined;
  if (known === undefined) return { expandJob: pending };
  const live = knownJob(upgrade, context);
  const isLost = live === undefined && known !== pending;
  const mayHaveRun =
    live !== undefined &&
    (hasStartedPods(live) || (jobKeyOf(live) !== jobKeyOf(desired) && !(await hasNeverRun(live, context))));
  return isLost || mayHaveRun ? { expandedRelease: upgrade.to } : undefined;
}

/**
 * What status must record before the expand Job is deleted for an abort; nothing when it is recorded. Only the Job that was
 * created for this upgrade can prove that it has never run.
 */
export async function abortFacts(upgrade: Upgrade, context: DatabaseContext): Promise<ExpandFacts | undefined> {
  const { expandedRelease, expandJob: known } = context.object.status ?? {};
  if (expandedRelease !== undefined && isSameRelease(expandedRelease, upgrade.to)) return undefined;
  const live = knownJob(upgrade, context);
  // For a Job that is terminating this was decided before: its pods now count as failed.
  const isThere = live !== undefined && live.metadata.deletionTimestamp === undefined;
  const mayHaveRun = isThere ? !(await hasNeverRun(live, context)) : known !== undefined;
  if (mayHaveRun) return { expandedRelease: upgrade.to };
  return known === undefined ? undefined : { expandJob: undefined };
}

/** The expand Job that was created for the upgrade, if it is still there. */
function knownJob(upgrade: Upgrade, { object: keystone, get }: DatabaseContext): Job | undefined {
  const known = keystone.status?.expandJob;
  const live = get(Job, phaseJobName(keystone, 'expand'));
  if (live === undefined || !isJobOf(upgrade, live)) return undefined;
  return known === undefined || known === pending || known === live.metadata.uid ? live : undefined;
}

/** Whether the Job belongs to this upgrade: those of the one before stay until they are replaced. */
export function isJobOf(upgrade: Upgrade, job: Job): boolean {
  return isSameRelease(imageTagOf(job), upgrade.to);
}

async function hasNeverRun(job: Job, { fetchAll }: DatabaseContext): Promise<boolean> {
  return !hasStartedPods(job) && haveNeverRun(await fetchAll(databaseJobPods['db-expand']));
}

/** Whether a pod of the Job was ready or has ended. */
export function hasStartedPods({ status }: Job): boolean {
  const { ready: working = 0, succeeded = 0, failed = 0, terminating = 0, conditions = [] } = status ?? {};
  return working + succeeded + failed + terminating > 0 || conditions.some(({ status: is }) => is === 'True');
}
