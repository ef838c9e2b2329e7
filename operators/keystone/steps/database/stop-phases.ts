// SPDX-License-Identifier: Apache-2.0
import { Job } from '@forge/kube/kinds/builtin.ts';
import { areStuck } from '@forge/runtime/jobs/pod-problem.ts';
import { stateOf } from '@forge/runtime/jobs/run-job.ts';
import { phaseJobName, type SchemaPhase } from '../../objects/jobs/database-jobs.ts';
import type { DatabaseContext, ReleaseContext } from './database-context.ts';
import { databaseJobPods } from './run-database-job.ts';

const phases = ['expand', 'migrate', 'contract'] as const;

/** The Jobs of upgrade phases that are there. */
export function phaseJobs({ object, get }: DatabaseContext): { phase: SchemaPhase; job: Job }[] {
  return phases.flatMap((phase) => {
    const job = get(Job, phaseJobName(object, phase));
    return job === undefined ? [] : [{ phase, job }];
  });
}

/** Whether a phase may be running: if interrupted, it would leave half-applied DDL, with which every later expand fails. */
export async function isPhaseAtWork(context: DatabaseContext): Promise<boolean> {
  for (const { phase, job } of phaseJobs(context)) {
    if (stateOf(job) !== 'running' || job.metadata.deletionTimestamp !== undefined) continue;
    if (!areStuck(await context.fetchAll(databaseJobPods[`db-${phase}`]))) return true;
  }
  return false;
}

/** Deletes the Jobs, their pods first. Returns whether all are gone, so that nothing can change the schema any more. */
export async function removePhases(context: ReleaseContext): Promise<boolean> {
  const jobs = phaseJobs(context);
  if (context.keepsJobs) return false;
  for (const { job } of jobs) await context.remove(Job, job, { propagation: 'Foreground' });
  return jobs.length === 0;
}
