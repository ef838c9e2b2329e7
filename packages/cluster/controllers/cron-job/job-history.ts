// SPDX-License-Identifier: Apache-2.0
import type { CronJobSpec } from '@forge/kube/generated/types.ts';
import type { Job } from '@forge/kube/kinds/builtin.ts';
import { isTrue } from '../../objects/with-condition.ts';

/** How a Job has finished; undefined while it has not. */
export function resultOf({ status }: Job): 'Complete' | 'Failed' | undefined {
  if (isTrue(status?.conditions, 'Complete')) return 'Complete';
  return isTrue(status?.conditions, 'Failed') ? 'Failed' : undefined;
}

/** The finished Jobs above the history limits, oldest first. */
export function expiredJobs(spec: CronJobSpec, jobs: readonly Job[]): Job[] {
  return [
    ...oldest(jobs, 'Complete', spec.successfulJobsHistoryLimit),
    ...oldest(jobs, 'Failed', spec.failedJobsHistoryLimit),
  ];
}

function oldest(jobs: readonly Job[], result: 'Complete' | 'Failed', limit: number | undefined): Job[] {
  if (limit === undefined) return [];
  const finished = jobs.filter((job) => resultOf(job) === result).toSorted(byStart);
  return finished.slice(0, Math.max(0, finished.length - limit));
}

/** By start time, then by name; Jobs that never started are last. */
function byStart(a: Job, b: Job): number {
  if (startOf(a) === startOf(b)) return a.metadata.name < b.metadata.name ? -1 : 1;
  return startOf(a) - startOf(b);
}

function startOf({ status }: Job): number {
  return status?.startTime === undefined ? Infinity : Date.parse(status.startTime);
}
