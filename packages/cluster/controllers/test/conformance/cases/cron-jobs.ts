// SPDX-License-Identifier: Apache-2.0
import type { CronJobSpec } from '@forge/kube/generated/types.ts';
import type { CronJob, Job } from '@forge/kube/kinds/builtin.ts';
import { testCase, type List, type ControllerCase, type Scenario } from '../controller-case.ts';
import { finishJob, podSpec } from '../kubelet.ts';

const cronJobs = 'batch/v1/cronjobs';
const jobs = 'batch/v1/jobs';
const minute = 60_000;
const everyMinute = '* * * * *';
const jobSpec = { backoffLimit: 0, template: { spec: { ...podSpec, restartPolicy: 'Never' } } };

/** Any spec; null removes a default. */
type Spec = { [field in keyof CronJobSpec]?: CronJobSpec[field] | null };

const day = 24 * 60;

/**
 * Creates a suspended CronJob `a` that last ran this many minutes ago, and is due once a day at the minute of the case;
 * its Jobs have one pod.
 */
async function create(scenario: Scenario, minutesAgo: number, spec: Spec = {}): Promise<CronJob> {
  await scenario.post(cronJobs, {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'a' },
    spec: { schedule: daily(minuteAt(scenario)), suspend: true, jobTemplate: { spec: jobSpec }, ...spec },
  });
  const status = { lastScheduleTime: timeOf(minuteAt(scenario, -minutesAgo)) };
  return scenario.patch<CronJob>('merge', `${cronJobs}/a/status`, { status });
}

async function resume(scenario: Scenario, spec: Spec = {}): Promise<void> {
  await scenario.patch('merge', `${cronJobs}/a`, { spec: { suspend: false, ...spec } });
}

/** A Job that the CronJob controls, as if it had created it. */
async function createJob(scenario: Scenario, name: string, { metadata }: CronJob): Promise<Job> {
  const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'a', uid: metadata.uid, controller: true };
  const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name, ownerReferences: [owner] }, spec: jobSpec };
  return scenario.post<Job>(jobs, job);
}

/** A CronJob that is due, while its Job `running` still runs. */
async function createRunning(scenario: Scenario): Promise<void> {
  const { metadata } = await createJob(scenario, 'running', await create(scenario, day));
  const { name, namespace, uid } = metadata;
  const active = [{ apiVersion: 'batch/v1', kind: 'Job', name, namespace, uid }];
  await scenario.patch('merge', `${cronJobs}/a/status`, { status: { active } });
  // Until the Job is listed as active, the controller may report it as unexpected.
  await scenario.until<Job>(`${jobs}/running`, ({ status }) => status?.active === 1);
}

/** The minute in which the case runs, or one before or after it, in milliseconds since the epoch. */
function minuteAt(scenario: Scenario, offset = 0): number {
  return (Math.floor(scenario.now() / minute) + offset) * minute;
}

function timeOf(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}

/** A daily schedule at this instant, in a time zone that is this many minutes ahead of UTC. */
function daily(instant: number, ahead = 0): string {
  const wall = new Date(instant + ahead * minute);
  return `${wall.getUTCMinutes()} ${wall.getUTCHours()} * * *`;
}

function observeStatus(
  scenario: Scenario,
  wanted: (status: NonNullable<CronJob['status']>) => boolean,
): Promise<CronJob> {
  return scenario.observe<CronJob>(
    `${cronJobs}/a`,
    (each) => wanted(each.status ?? {}),
    (each) => each.status ?? {},
  );
}

/** Observes the Jobs without their status, which the Job controller writes. */
async function observeJobs(scenario: Scenario, count: number): Promise<string[]> {
  const { items } = await scenario.observe<List<Job>>(
    jobs,
    (list) => list.items.length === count && list.items.every(({ status }) => status?.active !== undefined),
    (list) => list.items.map(({ metadata, spec }) => ({ metadata, spec })),
  );
  return items.map(({ metadata }) => metadata.name);
}

const isActive = ({ active = [] }: NonNullable<CronJob['status']>): boolean => active.length > 0;

/** CronJobs and the Jobs that they create. */
export const cronJobCases: readonly ControllerCase[] = [
  testCase('a CronJob creates a Job at the next scheduled time, and sees it complete', async (scenario) => {
    await create(scenario, 0, { schedule: everyMinute });
    await resume(scenario);
    await observeStatus(scenario, isActive);
    const [job = ''] = await observeJobs(scenario, 1);
    await finishJob(scenario, job, 0);
    await observeStatus(scenario, (each) => !isActive(each) && each.lastSuccessfulTime !== undefined);
    await scenario.events('CronJob', 'a', ['SuccessfulCreate', 'SawCompletedJob']);
  }),

  testCase('a new CronJob does not run before its first scheduled time', async (scenario) => {
    await create(scenario, 0, { schedule: daily(minuteAt(scenario, -1)) });
    await scenario.patch('merge', `${cronJobs}/a/status`, { status: { lastScheduleTime: null } });
    await resume(scenario);
    await scenario.pass(3);
    await observeJobs(scenario, 0);
    await observeStatus(scenario, () => true);
    await scenario.events('CronJob', 'a', []);
  }),

  testCase('of several missed times only the latest is made up for', async (scenario) => {
    await create(scenario, 5, { schedule: everyMinute });
    await resume(scenario);
    await observeStatus(scenario, isActive);
    await observeJobs(scenario, 1);
    await scenario.events('CronJob', 'a', ['SuccessfulCreate']);
  }),

  testCase('more than a hundred missed times are reported, and the latest is made up for', async (scenario) => {
    await create(scenario, 200, { schedule: everyMinute });
    await resume(scenario);
    await observeStatus(scenario, isActive);
    await observeJobs(scenario, 1);
    await scenario.events('CronJob', 'a', ['SuccessfulCreate', 'TooManyMissedTimes']);
  }),

  testCase('a hundred missed times before the starting deadline are not reported', async (scenario) => {
    await create(scenario, 200, { schedule: everyMinute, startingDeadlineSeconds: 300 });
    await resume(scenario);
    await observeStatus(scenario, isActive);
    await scenario.events('CronJob', 'a', ['SuccessfulCreate']);
  }),

  testCase('a missed time within the starting deadline is made up for', async (scenario) => {
    await create(scenario, day + 5, { schedule: daily(minuteAt(scenario, -5)), startingDeadlineSeconds: 600 });
    await resume(scenario);
    await observeStatus(scenario, isActive);
    await observeJobs(scenario, 1);
    await scenario.events('CronJob', 'a', ['SuccessfulCreate']);
  }),

  testCase('a missed time before the starting deadline is not made up for', async (scenario) => {
    await create(scenario, day + 5, { schedule: daily(minuteAt(scenario, -5)), startingDeadlineSeconds: 60 });
    await resume(scenario);
    await scenario.pass(3);
    await observeJobs(scenario, 0);
    await observeStatus(scenario, () => true);
    await scenario.events('CronJob', 'a', []);
  }),

  testCase('a suspended CronJob creates no Jobs, and still counts those that it has', async (scenario) => {
    await createRunning(scenario);
    await finishJob(scenario, 'running', 0);
    await observeStatus(scenario, (each) => !isActive(each) && each.lastSuccessfulTime !== undefined);
    await scenario.pass(2);
    await scenario.observe<List<Job>>(jobs, undefined, ({ items }) => items.map(({ metadata }) => metadata.name));
  }),

  testCase('with Forbid no Job is created while another runs', async (scenario) => {
    await createRunning(scenario);
    await resume(scenario, { concurrencyPolicy: 'Forbid' });
    await scenario.until<List<{ reason: string }>>('events', ({ items }) => hasReason(items, 'JobAlreadyActive'));
    await observeJobs(scenario, 1);
    await observeStatus(scenario, isActive);
  }),

  testCase('with Forbid the missed time is made up for once the running Job has finished', async (scenario) => {
    await createRunning(scenario);
    await resume(scenario, { concurrencyPolicy: 'Forbid' });
    await finishJob(scenario, 'running', 0);
    await observeStatus(
      scenario,
      ({ active, lastSuccessfulTime }) => active?.length === 1 && lastSuccessfulTime !== undefined,
    );
  }),

  testCase('with Replace the running Job is deleted and a new one created', async (scenario) => {
    await createRunning(scenario);
    await resume(scenario, { concurrencyPolicy: 'Replace' });
    await observeStatus(scenario, ({ active = [] }) => active.some(({ name }) => name !== 'running'));
    await observeJobs(scenario, 1);
  }),

  testCase('with Allow a Job is created beside the running one', async (scenario) => {
    await createRunning(scenario);
    await resume(scenario, { concurrencyPolicy: 'Allow' });
    await observeStatus(scenario, ({ active = [] }) => active.length === 2);
    await observeJobs(scenario, 2);
  }),

  testCase('successful Jobs above the history limit are deleted, oldest first', async (scenario) => {
    const cronJob = await create(scenario, 0, { successfulJobsHistoryLimit: 1 });
    for (const name of ['job-1', 'job-2', 'job-3']) {
      await createJob(scenario, name, cronJob);
      await finishJob(scenario, name, 0);
      await scenario.until<List<Job>>(jobs, ({ items }) => items.length === 1);
    }
    await scenario.observe<List<Job>>(jobs, undefined, ({ items }) => items.map(({ metadata }) => metadata.name));
    await scenario.events('CronJob', 'a', ['UnexpectedJob', 'SuccessfulDelete']);
  }),

  testCase('a failed Job is kept, and one failed Job only', async (scenario) => {
    const cronJob = await create(scenario, 0);
    for (const name of ['job-1', 'job-2']) {
      await createJob(scenario, name, cronJob);
      await finishJob(scenario, name, 1);
    }
    await scenario.observe<List<Job>>(
      jobs,
      ({ items }) => items.length === 1,
      ({ items }) => items.map(({ metadata }) => metadata.name),
    );
    await observeStatus(scenario, () => true);
    await scenario.events('CronJob', 'a', ['UnexpectedJob', 'SuccessfulDelete']);
  }),

  testCase('a history limit of 0 keeps no finished Job', async (scenario) => {
    const limits = { successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 };
    const cronJob = await create(scenario, 0, limits);
    for (const [name, code] of [
      ['job-1', 0],
      ['job-2', 1],
    ] as const) {
      await createJob(scenario, name, cronJob);
      await finishJob(scenario, name, code);
      await scenario.until<List<Job>>(jobs, ({ items }) => items.length === 0);
    }
    await observeStatus(scenario, ({ lastSuccessfulTime }) => lastSuccessfulTime !== undefined);
  }),

  testCase('a failed Job counts as completed, not as successful', async (scenario) => {
    await createRunning(scenario);
    await finishJob(scenario, 'running', 1);
    await observeStatus(scenario, (each) => !isActive(each));
    await scenario.until<List<{ reason: string }>>('events', ({ items }) => hasReason(items, 'SawCompletedJob'));
  }),

  testCase('an active Job that was deleted is missed', async (scenario) => {
    await createRunning(scenario);
    await scenario.delete(`${jobs}/running`, { propagationPolicy: 'Background' });
    await observeStatus(scenario, (each) => !isActive(each));
    await scenario.until<List<{ reason: string }>>('events', ({ items }) => hasReason(items, 'MissingJob'));
  }),

  testCase('a schedule is read in its time zone', async (scenario) => {
    const kolkata = daily(minuteAt(scenario), 5 * 60 + 30);
    await create(scenario, day, { schedule: kolkata, timeZone: 'Asia/Kolkata' });
    await resume(scenario);
    await observeStatus(scenario, isActive);
    await scenario.observe<List<Job>>(
      jobs,
      ({ items }) => items.length === 1,
      ({ items }) => items.map(({ metadata }) => metadata),
    );
  }),

  testCase('a schedule in another time zone is not due at the same time of UTC', async (scenario) => {
    await create(scenario, 60, { timeZone: 'Asia/Kolkata' });
    await resume(scenario);
    await scenario.pass(2);
    await observeJobs(scenario, 0);
    await scenario.events('CronJob', 'a', []);
  }),

  testCase('a schedule that never occurs is reported', async (scenario) => {
    await create(scenario, 5, { schedule: '0 0 31 2 *' });
    await resume(scenario);
    await scenario.events('CronJob', 'a', ['InvalidSchedule']);
    await observeJobs(scenario, 0);
  }),

  testCase('a changed schedule makes up for no missed time', async (scenario) => {
    await create(scenario, 5, { schedule: daily(minuteAt(scenario, -30)) });
    await resume(scenario);
    await scenario.pass(2);
    await scenario.patch('merge', `${cronJobs}/a`, { spec: { schedule: everyMinute } });
    await observeStatus(scenario, isActive);
    await observeJobs(scenario, 1);
  }),

  testCase('a foreign Job of the same name is left alone', async (scenario) => {
    await create(scenario, day);
    const metadata = { name: `a-${minuteAt(scenario) / minute}` };
    await scenario.post(jobs, { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: jobSpec });
    await resume(scenario);
    await scenario.pass(2);
    await observeStatus(scenario, () => true);
    await observeJobs(scenario, 1);
    await scenario.events('CronJob', 'a', []);
  }),

  testCase('a Job has the labels and annotations of its template', async (scenario) => {
    const metadata = { labels: { app: 'web' }, annotations: { note: 'yes' } };
    await create(scenario, day, { jobTemplate: { metadata, spec: jobSpec } });
    await resume(scenario);
    await observeStatus(scenario, isActive);
    await observeJobs(scenario, 1);
  }),

  testCase('the Jobs of a deleted CronJob are deleted', async (scenario) => {
    await createRunning(scenario);
    await scenario.delete(`${cronJobs}/a`, { propagationPolicy: 'Background' });
    await scenario.observe<List<Job>>(jobs, ({ items }) => items.length === 0);
  }),
];

function hasReason(items: readonly { reason: string }[], reason: string): boolean {
  return items.some((each) => each.reason === reason);
}
