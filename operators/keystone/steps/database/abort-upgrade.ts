// SPDX-License-Identifier: Apache-2.0
import { Job } from '@forge/kube/kinds/builtin.ts';
import type { Statement } from '@forge/runtime/contract/rows.ts';
import { areStuck, haveNeverRun } from '@forge/runtime/jobs/pod-problem.ts';
import { stateOf } from '@forge/runtime/jobs/run-job.ts';
import { checkpoint, degraded } from '@forge/runtime/steps/outcome.ts';
import { databaseReady } from '../../contract/database.ts';
import { upgradeEvents } from '../../contract/upgrade.ts';
import { phaseJobName } from '../../objects/jobs/database-jobs.ts';
import { imageOf } from '../../objects/pod.ts';
import type { DatabaseOutcome, ReleaseContext } from './database-context.ts';
import type { Upgrade, UpgradePhase } from './release-decision.ts';
import { databaseJobPods } from './run-database-job.ts';
import { hasStartedPods, isJobOf } from './upgrade-phases.ts';

/** What an abort leads to: it cannot be, it is not over yet, or it is. */
export type Abort = 'refused' | { outcome: DatabaseOutcome } | { expandedRelease: string | undefined };

const phases = ['expand', 'migrate', 'contract'] as const;

/**
 * Takes an upgrade back to the installed release.
 *
 * Guarantees: no phase that may be at work is interrupted, since half-applied DDL fails every later expand; that the schema
 * was expanded is remembered before the proof of it goes; nothing is aborted once contract may have dropped what the
 * old release reads.
 */
export async function abortUpgrade(phase: UpgradePhase, upgrade: Upgrade, context: ReleaseContext): Promise<Abort> {
  const { object: keystone, get, fetchAll, remove, event, keepsJobs } = context;
  const jobs = phases.flatMap((each) => {
    const job = get(Job, phaseJobName(keystone, each));
    return job === undefined ? [] : [{ phase: each, job }];
  });
  // One of an earlier upgrade may still be there.
  if (jobs.some((each) => each.phase === 'contract' && isJobOf(upgrade, each.job))) return 'refused';

  const waiting = { outcome: degraded(rowOf(phase, upgrade), { output: { image: imageOf(keystone, upgrade.from) } }) };
  for (const { phase: each, job } of jobs) {
    if (stateOf(job) !== 'running' || isTerminating(job)) continue;
    if (!areStuck(await fetchAll(databaseJobPods[`db-${each}`]))) return waiting;
  }

  const { expandedRelease } = keystone.status ?? {};
  // Of one that is being deleted it was decided before; its pods count as failed now.
  const expandJob = jobs.find(({ phase: each, job }) => each === 'expand' && !isTerminating(job))?.job;
  if (expandedRelease !== upgrade.to && expandJob !== undefined && isJobOf(upgrade, expandJob)) {
    const hasNotRun = !hasStartedPods(expandJob) && haveNeverRun(await fetchAll(databaseJobPods['db-expand']));
    if (!hasNotRun) return { outcome: checkpoint({ expandedRelease: upgrade.to }) };
  }

  if (keepsJobs) return waiting;
  // Their pods first: the phase ends when nothing can touch the schema any more.
  for (const { job } of jobs) await remove(Job, job, { propagation: 'Foreground' });
  if (jobs.length > 0) return waiting;
  await event(upgradeEvents.aborted({ from: upgrade.from, target: upgrade.to }));
  return { expandedRelease };
}

function isTerminating({ metadata }: Job): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function rowOf(phase: UpgradePhase, upgrade: Upgrade): Statement {
  switch (phase) {
    case 'Expanding':
      return databaseReady.expanding({ ...upgrade });
    case 'Migrating':
      return databaseReady.migrating({ ...upgrade });
    case 'RollingUpdate':
      return databaseReady.rollingOut({ ...upgrade });
    case 'Contracting':
      return databaseReady.contracting({ ...upgrade });
  }
}
