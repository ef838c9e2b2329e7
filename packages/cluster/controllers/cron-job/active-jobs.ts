// SPDX-License-Identifier: Apache-2.0
import type { ObjectReference } from '@forge/kube/generated/types.ts';
import { Job, type CronJob } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { EventNote } from '@forge/runtime/events/event-recorder.ts';
import { resultOf } from './job-history.ts';

type Status = NonNullable<CronJob['status']>;

/** A new status and the Events about its changes. */
interface Observed {
  status: Status;
  notes: EventNote[];
}

/** The status with the active Jobs and the last success, computed from the CronJob's Jobs. */
export function observeJobs(before: Status, jobs: readonly Job[]): Observed {
  const notes: EventNote[] = [];
  let status = before;
  for (const job of jobs) {
    const { name, uid = '' } = job.metadata;
    const isListed = status.active?.some((each) => each.uid === uid) === true;
    const result = resultOf(job);
    if (result === undefined && !isListed) {
      const message = `Saw a job that the controller did not create or forgot: ${name}`;
      notes.push({ type: 'Warning', reason: 'UnexpectedJob', message });
    }
    if (result !== undefined && isListed) {
      status = withoutJob(status, uid);
      const message = `Saw completed job: ${name}, condition: ${result}`;
      notes.push({ type: 'Normal', reason: 'SawCompletedJob', message });
    }
    if (result === 'Complete') status = withSuccess(status, job.status?.completionTime);
  }
  return { status, notes };
}

/** The listed Jobs that are not among these. */
export function missingJobs(status: Status, jobs: readonly Job[]): ObjectReference[] {
  const uids = new Set(jobs.map(({ metadata }) => metadata.uid));
  return (status.active ?? []).filter(({ uid }) => !uids.has(uid));
}

/** The status without this Job in its list of active ones. */
export function withoutJob({ active = [], ...status }: Status, uid: string | undefined): Status {
  const others = active.filter((each) => each.uid !== uid);
  return { ...status, ...(others.length > 0 && { active: others }) };
}

/** The status with a Job that has just been created for a scheduled time. */
export function withJob(
  { active = [], ...status }: Status,
  { metadata }: KubeObject,
  lastScheduleTime: string,
): Status {
  const { name, namespace, uid, resourceVersion } = metadata;
  const reference: ObjectReference = {
    apiVersion: Job.apiVersion,
    kind: Job.kind,
    name,
    ...(namespace !== undefined && { namespace }),
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(uid !== undefined && { uid }),
  };
  return { ...status, active: [...active, reference], lastScheduleTime };
}

function withSuccess(status: Status, completionTime: string | undefined): Status {
  const { lastSuccessfulTime } = status;
  if (completionTime === undefined) return status;
  const isLater = lastSuccessfulTime === undefined || Date.parse(completionTime) > Date.parse(lastSuccessfulTime);
  return isLater ? { ...status, lastSuccessfulTime: completionTime } : status;
}
