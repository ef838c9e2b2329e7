// SPDX-License-Identifier: Apache-2.0
import type { SourceBug } from '@forge/testing/bugs/bug-seeder.ts';

/** A bug of the controllers and the case that must fail; `file` is below `packages`. */
interface SeededBug extends SourceBug {
  readonly caughtBy: string;
}

/** Seeded bugs, each with a case that must detect it. */
export const seededBugs: readonly SeededBug[] = [
  {
    name: 'a CronJob ignores its time zone',
    caughtBy: 'a schedule is read in its time zone',
    file: 'cluster/controllers/cron-job/schedule-of.ts',
    find: 'zone === undefined || hasZone ? text',
    replace: 'hasZone || zone !== "" ? text',
  },
  {
    name: 'a Job shows its scheduled time in UTC',
    caughtBy: 'a schedule is read in its time zone',
    file: 'cluster/controllers/cron-job/job-of.ts',
    find: 'zonedTime(time, zone)',
    replace: 'zonedTime(time, undefined)',
  },
  {
    name: 'Forbid allows a second Job',
    caughtBy: 'with Forbid no Job is created while another runs',
    file: 'cluster/controllers/cron-job/run-due-job.ts',
    find: "concurrencyPolicy !== 'Forbid' || active.length === 0",
    replace: "concurrencyPolicy !== 'Forbid' || active.length === 1",
  },
  {
    name: 'Replace keeps the running Job',
    caughtBy: 'with Replace the running Job is deleted and a new one created',
    file: 'cluster/controllers/cron-job/run-due-job.ts',
    find: "spec.concurrencyPolicy === 'Replace'",
    replace: "spec.concurrencyPolicy === 'Forbid'",
  },
  {
    name: 'the starting deadline is ignored',
    caughtBy: 'a missed time before the starting deadline is not made up for',
    file: 'cluster/controllers/cron-job/scheduled-times.ts',
    find: 'missedTimes(cronJob, schedule, now, cronJob.spec.startingDeadlineSeconds)',
    replace: 'missedTimes(cronJob, schedule, now)',
  },
  {
    name: 'the first missed time is made up for, not the latest',
    caughtBy: 'of several missed times only the latest is made up for',
    file: 'cluster/controllers/cron-job/scheduled-times.ts',
    find: 'latest = time;',
    replace: 'latest ??= time - interval;',
  },
  {
    name: 'a suspended CronJob runs',
    caughtBy: 'a suspended CronJob creates no Jobs, and still counts those that it has',
    file: 'cluster/controllers/cron-job/run-due-job.ts',
    find: ' || spec.suspend === true',
    replace: '',
  },
  {
    name: 'the newest Job is deleted from the history',
    caughtBy: 'successful Jobs above the history limit are deleted, oldest first',
    file: 'cluster/controllers/cron-job/job-history.ts',
    find: '.toSorted(byStart)',
    replace: '.toSorted((a, b) => byStart(b, a))',
  },
  {
    name: 'a changed schedule makes up for missed times',
    caughtBy: 'a changed schedule makes up for no missed time',
    file: 'cluster/controllers/cron-job/cron-job.ts',
    find: 'before !== undefined && before !== text',
    replace: 'before === "changed"',
  },
  {
    name: 'a percentage of a budget is rounded down',
    caughtBy: 'a percentage of available pods is of the replicas of the Deployment, rounded up',
    file: 'cluster/controllers/disruption/expected-pods.ts',
    find: 'Math.ceil',
    replace: 'Math.floor',
  },
  {
    name: 'a budget counts unready pods as healthy',
    caughtBy: 'a number of available pods is compared with the ready ones',
    file: 'cluster/controllers/disruption/budget-status.ts',
    find: 'isReady(pod) && !evicted.has(pod)',
    replace: '!evicted.has(pod)',
  },
  {
    name: 'an evicted pod stays in the budget until it is gone',
    caughtBy: 'an evicted pod that terminates slowly is no longer healthy',
    file: 'cluster/controllers/disruption/budget-status.ts',
    find: 'pods.filter((pod) => pod.metadata.deletionTimestamp === undefined)',
    replace: '[...pods]',
  },
  {
    name: 'an eviction does not count against its budget',
    caughtBy: 'a dry run of an eviction deletes and counts nothing',
    file: 'apiserver/subresources/disruption-budget.ts',
    find: 'if (dryRun) return;',
    replace: '',
  },
  {
    name: 'an autoscaler starts a target that was stopped',
    caughtBy: 'an autoscaler leaves a target with no replicas alone',
    file: 'cluster/controllers/autoscaler/autoscaler.ts',
    find: 'if (current === 0)',
    replace: 'if (current < 0)',
  },
  {
    name: 'an autoscaler ignores its maximum',
    caughtBy: 'an autoscaler brings too many replicas down to the maximum',
    file: 'cluster/controllers/autoscaler/autoscaler.ts',
    find: 'Math.min(maxReplicas, Math.max(minReplicas, current))',
    replace: 'Math.max(minReplicas, current)',
  },
  {
    name: 'Endpoints list unready pods as ready',
    caughtBy: 'ready and unready pods are listed apart',
    file: 'cluster/controllers/endpoints/subsets-of.ts',
    find: 'publishNotReadyAddresses || isReady(pod)',
    replace: 'true',
  },
  {
    name: 'Endpoints never list terminating pods',
    caughtBy: 'with publishNotReadyAddresses a terminating pod stays in the Endpoints',
    file: 'cluster/controllers/endpoints/subsets-of.ts',
    find: '(terminatingToo || !isTerminating)',
    replace: '!isTerminating',
  },
  {
    name: 'slices ignore publishNotReadyAddresses',
    caughtBy: 'with publishNotReadyAddresses unready pods count as ready',
    file: 'cluster/controllers/endpoints/endpoint-slices-of.ts',
    find: 'service.spec?.publishNotReadyAddresses === true || ',
    replace: '',
  },
  {
    name: 'the time to live counts for successful Jobs only',
    caughtBy: 'a failed Job is deleted after its time to live, too',
    file: 'cluster/controllers/job/job.ts',
    find: 'if (ttl === undefined || ',
    replace: "if (ttl === undefined || endOf(job.status)?.type === 'Failed' || ",
  },
];
