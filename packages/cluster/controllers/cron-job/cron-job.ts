// SPDX-License-Identifier: Apache-2.0
import { CronJob, Job } from '@forge/kube/kinds/builtin.ts';
import type { Controller, ReconcileContext } from '@forge/runtime/controller/controller.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import { keyOf } from '@forge/runtime/objects/object-key.ts';
import { controllerOf } from '@forge/runtime/objects/owner-reference.ts';
import { removeObject } from '../../objects/remove-object.ts';
import { writeStatus } from '../../objects/write-status.ts';
import { missingJobs, observeJobs, withoutJob } from './active-jobs.ts';
import { expiredJobs } from './job-history.ts';
import { runDueJob } from './run-due-job.ts';
import { scheduleOf } from './schedule-of.ts';
import { untilNext } from './scheduled-times.ts';

type Status = NonNullable<CronJob['status']>;

/** The CronJob controller: creates a Job at each scheduled time, and deletes old ones. */
export function cronJobController(): Controller {
  /**
   * The schedules at the last reconcile: a changed schedule waits for its next time, and missed times are not made up.
   */
  const schedules = new Map<string, string>();

  function hasChanged(key: string, { spec, metadata }: CronJob): boolean {
    const text = JSON.stringify([metadata.uid, spec.timeZone, spec.schedule]);
    const before = schedules.get(key);
    schedules.set(key, text);
    return before !== undefined && before !== text && before.includes(metadata.uid ?? '');
  }

  return {
    name: 'cronjob-controller',
    for: CronJob,
    owns: [Job],

    async reconcile(ref, context): Promise<Duration | undefined> {
      const { cache, client, clock } = context;
      const cronJob = cache.get(CronJob, ref);
      if (cronJob?.spec === undefined) {
        schedules.delete(keyOf(ref));
        return undefined;
      }
      const { schedule } = scheduleOf(cronJob.spec);
      if (hasChanged(keyOf(ref), cronJob) && schedule !== undefined) return untilNext(cronJob, schedule, clock.now());

      const jobs = cache.list(Job, { namespace: ref.namespace }).filter((job) => isJobOf(job, ref.name));
      const cleaned = await deleteExpired(cronJob, jobs, context);
      const observed = await observe({ ...cronJob, status: cleaned }, jobs, context);
      const { status, recheck, error } = await runDueJob({ ...cronJob, status: observed }, context);
      await writeStatus(client, CronJob, cronJob, status);
      if (error !== undefined) throw error;
      return recheck;
    },
  };
}

function isJobOf(job: Job, name: string): boolean {
  const owner = controllerOf(job);
  return owner?.kind === CronJob.kind && owner.name === name;
}

/** Deletes finished Jobs above the history limits; returns the status without them. */
async function deleteExpired(cronJob: CronJob, jobs: readonly Job[], context: ReconcileContext): Promise<Status> {
  let status = cronJob.status ?? {};
  for (const job of expiredJobs(cronJob.spec, jobs)) {
    if (!(await removeObject(context.client, Job, job, { propagation: 'Background' }))) continue;
    status = withoutJob(status, job.metadata.uid);
    await context.event(cronJob, {
      type: 'Normal',
      reason: 'SuccessfulDelete',
      message: `Deleted job ${job.metadata.name}`,
    });
  }
  return status;
}

/** The status computed from the Jobs; records Events about its changes. */
async function observe(cronJob: CronJob, jobs: readonly Job[], { client, event }: ReconcileContext): Promise<Status> {
  const { status: before = {} } = cronJob;
  const observed = observeJobs(before, jobs);
  let { status } = observed;
  for (const note of observed.notes) await event(cronJob, note);
  for (const { namespace, name = '', uid } of missingJobs(status, jobs)) {
    // The cache may be stale.
    if ((await client.find(Job, { namespace, name })) !== undefined) continue;
    await event(cronJob, { type: 'Normal', reason: 'MissingJob', message: `Active job went missing: ${name}` });
    status = withoutJob(status, uid);
  }
  return status;
}
