// SPDX-License-Identifier: Apache-2.0
import { ApiError, isApiError } from '@forge/kube/errors/api-error.ts';
import { Job, type CronJob } from '@forge/kube/kinds/builtin.ts';
import { refOf } from '@forge/kube/objects/object.ts';
import type { ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { isControlledBy } from '@forge/runtime/objects/owner-reference.ts';
import { removeObject } from '../../objects/remove-object.ts';
import { serverMessage } from '../../objects/server-message.ts';
import { withJob, withoutJob } from './active-jobs.ts';
import { jobNameOf, jobOf } from './job-of.ts';
import { scheduleOf } from './schedule-of.ts';
import { dueTime, ImpossibleSchedule, untilNext, type DueTime } from './scheduled-times.ts';

type Status = NonNullable<CronJob['status']>;

/** The new status, when to requeue, and the error to return after that. */
interface Run {
  status: Status;
  recheck?: Duration | undefined;
  error?: unknown;
}

/** Creates the Job that is due, unless the CronJob is suspended, too late, or its policy forbids it. */
export async function runDueJob(cronJob: CronJob, context: ReconcileContext): Promise<Run> {
  const { spec, status = {}, metadata } = cronJob;
  if (metadata.deletionTimestamp !== undefined || spec.suspend === true) return { status };
  const { schedule, warnings } = scheduleOf(spec);
  for (const note of warnings) await context.event(cronJob, note);
  if (schedule === undefined) return { status };

  const now = context.clock.now();
  const due = await checkedDueTime(cronJob, () => dueTime(cronJob, schedule, now), context);
  if (due === undefined) return { status };
  if (due.tooMany) {
    const message = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
    await context.event(cronJob, { type: 'Warning', reason: 'TooManyMissedTimes', message });
  }
  const { time } = due;
  const isDue = time !== undefined && (await mayStart(cronJob, time, context));
  const run = isDue ? await replaceAndCreate(cronJob, time, context) : { status };
  if ('error' in run) return run;
  return { ...run, recheck: untilNext({ ...cronJob, status: run.status }, schedule, now) };
}

async function checkedDueTime(
  cronJob: CronJob,
  read: () => DueTime,
  { event }: ReconcileContext,
): Promise<DueTime | undefined> {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ImpossibleSchedule)) throw error;
    const message = `invalid schedule: ${cronJob.spec.schedule} : ${error.message}`;
    await event(cronJob, { type: 'Warning', reason: 'InvalidSchedule', message });
    return undefined;
  }
}

/** Whether a Job may be created for this time; reports why not. */
async function mayStart(cronJob: CronJob, time: number, { clock, event }: ReconcileContext): Promise<boolean> {
  const { startingDeadlineSeconds: deadline, concurrencyPolicy } = cronJob.spec;
  const { active = [], lastScheduleTime } = cronJob.status ?? {};
  if (deadline !== undefined && time + seconds(deadline) < clock.now()) {
    const message = `Missed scheduled time to start a job: ${new Date(time).toUTCString().replace('GMT', '+0000')}`;
    await event(cronJob, { type: 'Warning', reason: 'MissSchedule', message });
    return false;
  }
  const isDone = Date.parse(lastScheduleTime ?? '') === time;
  if (isDone || active.some(({ name }) => name === jobNameOf(cronJob, time))) return false;
  if (concurrencyPolicy !== 'Forbid' || active.length === 0) return true;
  const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
  await event(cronJob, { type: 'Normal', reason: 'JobAlreadyActive', message });
  return false;
}

async function replaceAndCreate(cronJob: CronJob, time: number, context: ReconcileContext): Promise<Run> {
  const { status = {}, spec } = cronJob;
  const replaced = spec.concurrencyPolicy === 'Replace' ? await deleteActive(cronJob, context) : { status };
  if ('error' in replaced) return replaced;
  const created = await createOrFind(cronJob, time, context);
  if ('error' in created) return { ...replaced, ...created };
  if (created.job === undefined) return { ...replaced, recheck: undefined };
  const lastScheduleTime = new Date(time).toISOString().replace('.000Z', 'Z');
  return { status: withJob(replaced.status, created.job, lastScheduleTime) };
}

async function deleteActive(cronJob: CronJob, { client, event }: ReconcileContext): Promise<Run> {
  let status = cronJob.status ?? {};
  for (const { namespace, name = '', uid } of status.active ?? []) {
    try {
      const job = await client.get(Job, { namespace, name });
      await removeObject(client, Job, job, { propagation: 'Background' });
    } catch (error) {
      await event(cronJob, { type: 'Warning', reason: 'FailedGet', message: `Get job: ${serverMessage(error)}` });
      return { status, error };
    }
    status = withoutJob(status, uid);
    await event(cronJob, { type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted job ${name}` });
  }
  return { status };
}

/** Creates the Job; returns one that an earlier reconcile created but did not record, but not an unowned one. */
async function createOrFind(
  cronJob: CronJob,
  time: number,
  { client, event }: ReconcileContext,
): Promise<{ job?: Job } | { error: unknown }> {
  const wanted = jobOf(cronJob, time);
  try {
    const job = await client.create(Job, wanted);
    await event(cronJob, { type: 'Normal', reason: 'SuccessfulCreate', message: `Created job ${job.metadata.name}` });
    return { job };
  } catch (error) {
    if (isApiError(error, 'AlreadyExists')) {
      const job = await client.find(Job, refOf(wanted));
      return job !== undefined && isControlledBy(job, cronJob) ? { job } : {};
    }
    if (!isNamespaceTerminating(error)) {
      await event(cronJob, {
        type: 'Warning',
        reason: 'FailedCreate',
        message: `Error creating job: ${serverMessage(error)}`,
      });
    }
    return { error };
  }
}

function isNamespaceTerminating(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.status.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating')
  );
}
