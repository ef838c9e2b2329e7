// SPDX-License-Identifier: Apache-2.0
import type { JobSpec } from '@forge/kube/generated/types.ts';
import type { Job, Pod } from '@forge/kube/kinds/builtin.ts';
import { testCase, type List, type ControllerCase, type Scenario } from '../controller-case.ts';
import { finishJob, podSpec } from '../kubelet.ts';

const jobs = 'batch/v1/jobs';

async function createJob(scenario: Scenario, spec: Partial<JobSpec>, metadata: object = {}): Promise<void> {
  await scenario.post(jobs, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'work', ...metadata },
    spec: { backoffLimit: 0, template: { spec: { ...podSpec, restartPolicy: 'Never' } }, ...spec },
  });
}

/** Waits until the Job and its pods are deleted. */
async function observeGone(scenario: Scenario): Promise<void> {
  await scenario.observe(
    `${jobs}/work`,
    (_, status) => status === 404,
    () => 'gone',
  );
  await scenario.observe<List<Pod>>(
    'pods',
    ({ items }) => items.length === 0,
    ({ items }) => items.length,
  );
}

function observeJob(scenario: Scenario): Promise<Job> {
  return scenario.observe<Job>(`${jobs}/work`, undefined, ({ metadata, status }) => ({
    deleted: metadata.deletionTimestamp !== undefined,
    finalizers: metadata.finalizers,
    conditions: status?.conditions?.map(({ type }) => type),
  }));
}

async function observePod(scenario: Scenario): Promise<void> {
  await scenario.observe<List<Pod>>(
    'pods',
    ({ items }) => items.length === 1,
    ({ items }) => items.map(({ metadata: { name, generateName } }) => ({ name, generateName })),
  );
}

/** Finished Jobs and their time to live. */
export const jobCases: readonly ControllerCase[] = [
  testCase('a finished Job is deleted with its pods after its time to live', async (scenario) => {
    await createJob(scenario, { ttlSecondsAfterFinished: 2 });
    await observePod(scenario);
    await finishJob(scenario, 'work', 0);
    await observeJob(scenario);
    await observeGone(scenario);
    await scenario.events('Job', 'work', ['SuccessfulCreate', 'Completed']);
  }),

  testCase('a failed Job is deleted after its time to live, too', async (scenario) => {
    await createJob(scenario, { ttlSecondsAfterFinished: 1 });
    await observePod(scenario);
    await finishJob(scenario, 'work', 1);
    await observeGone(scenario);
    await scenario.events('Job', 'work', ['SuccessfulCreate', 'BackoffLimitExceeded']);
  }),

  testCase('a Job with no time to live is deleted as soon as it has finished', async (scenario) => {
    await createJob(scenario, { ttlSecondsAfterFinished: 0 });
    await finishJob(scenario, 'work', 0);
    await observeGone(scenario);
  }),

  testCase('a running Job is not deleted, whatever its time to live', async (scenario) => {
    await createJob(scenario, { ttlSecondsAfterFinished: 0 });
    await scenario.until<List<Pod>>('pods', ({ items }) => items.length === 1);
    await scenario.pass(2);
    await observeJob(scenario);
  }),

  testCase('a finished Job without a time to live stays, until it is given one', async (scenario) => {
    await createJob(scenario, {});
    await finishJob(scenario, 'work', 0);
    await scenario.pass(2);
    await observeJob(scenario);
    await scenario.patch('merge', `${jobs}/work`, { spec: { ttlSecondsAfterFinished: 1 } });
    await observeGone(scenario);
  }),

  testCase('an expired Job with a finalizer waits for it', async (scenario) => {
    await createJob(scenario, { ttlSecondsAfterFinished: 1 }, { finalizers: ['example.com/keep'] });
    await finishJob(scenario, 'work', 0);
    await scenario.until<Job>(`${jobs}/work`, ({ metadata }) => metadata.deletionTimestamp !== undefined);
    await scenario.until<List<Pod>>('pods', ({ items }) => items.length === 0);
    await scenario.until<Job>(`${jobs}/work`, ({ metadata }) => metadata.finalizers?.length === 1);
    await observeJob(scenario);
    await scenario.patch('merge', `${jobs}/work`, { metadata: { finalizers: [] } });
    await observeGone(scenario);
  }),
];
