// SPDX-License-Identifier: Apache-2.0
import type { PodDisruptionBudgetStatus } from '@forge/kube/generated/types.ts';
import type { Pod, PodDisruptionBudget } from '@forge/kube/kinds/builtin.ts';
import { testCase, type List, type ControllerCase, type Scenario } from '../controller-case.ts';
import { createPod, podSpec, runPod } from '../kubelet.ts';

const budgets = 'policy/v1/poddisruptionbudgets';
const labels = { app: 'web' };
const selector = { matchLabels: labels };

async function createBudget(scenario: Scenario, spec: object, name = 'web'): Promise<void> {
  // The controller's cache must contain the pods before it contains the budget.
  await scenario.pass(1);
  const metadata = { name };
  await scenario.post(budgets, {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata,
    spec: { selector, ...spec },
  });
}

/** Pods without a controller, ready or not. */
async function createPods(scenario: Scenario, pods: Readonly<Record<string, boolean>>): Promise<void> {
  for (const [index, [name, ready]] of Object.entries(pods).entries()) {
    await createPod(scenario, name, labels);
    await runPod(scenario, name, `10.0.0.${index + 1}`, ready);
  }
}

/** A ReplicaSet or Deployment whose pods are all ready; returns their names. */
async function createSet(scenario: Scenario, kind: 'ReplicaSet' | 'Deployment', replicas: number): Promise<string[]> {
  const template = { metadata: { labels }, spec: podSpec };
  await scenario.post(`apps/v1/${kind.toLowerCase()}s`, {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'web' },
    spec: { replicas, selector, template },
  });
  const { items } = await scenario.until<List<Pod>>('pods', (list) => list.items.length === replicas);
  const names = items.map(({ metadata }) => metadata.name);
  for (const [index, name] of names.entries()) await runPod(scenario, name, `10.0.0.${index + 1}`);
  return names;
}

function status(
  scenario: Scenario,
  wanted: (status: PodDisruptionBudgetStatus) => boolean,
): Promise<PodDisruptionBudget> {
  return scenario.observe<PodDisruptionBudget>(
    `${budgets}/web`,
    (budget) => wanted(budget.status ?? {}),
    (budget) => budget.status ?? {},
  );
}

const healthy = (count: number) => (each: PodDisruptionBudgetStatus) => each.currentHealthy === count;
const allowed = (count: number) => (each: PodDisruptionBudgetStatus) => each.disruptionsAllowed === count;
const isObserved = ({ observedGeneration }: PodDisruptionBudgetStatus): boolean => observedGeneration === 1;

/** PodDisruptionBudgets, and evictions that they allow or refuse. */
export const budgetCases: readonly ControllerCase[] = [
  testCase('a budget without pods allows no eviction', async (scenario) => {
    await createBudget(scenario, { minAvailable: 1 });
    await status(scenario, isObserved);
    await scenario.events('PodDisruptionBudget', 'web', ['NoPods']);
  }),

  testCase('a budget that selects nothing ignores all pods', async (scenario) => {
    await createPods(scenario, { a: true });
    await createBudget(scenario, { minAvailable: 1, selector: { matchLabels: { app: 'other' } } });
    await status(scenario, isObserved);
    await scenario.evict('a');
  }),

  testCase('a number of available pods is compared with the ready ones', async (scenario) => {
    await createPods(scenario, { a: true, b: true, c: false });
    await createBudget(scenario, { minAvailable: 1 });
    await status(scenario, isObserved);
    await runPod(scenario, 'c', '10.0.0.3');
    await status(scenario, healthy(3));
    await runPod(scenario, 'a', '10.0.0.1', false);
    await status(scenario, healthy(2));
  }),

  testCase('maxUnavailable is subtracted from the replicas of a ReplicaSet', async (scenario) => {
    await createSet(scenario, 'ReplicaSet', 3);
    await createBudget(scenario, { maxUnavailable: 1 });
    await status(scenario, healthy(3));
  }),

  testCase('a percentage of available pods is of the replicas of the Deployment, rounded up', async (scenario) => {
    await createSet(scenario, 'Deployment', 3);
    await createBudget(scenario, { minAvailable: '50%' });
    await status(scenario, healthy(3));
  }),

  testCase('a percentage of unavailable pods is rounded up', async (scenario) => {
    await createSet(scenario, 'ReplicaSet', 4);
    await createBudget(scenario, { maxUnavailable: '30%' });
    await status(scenario, healthy(4));
  }),

  testCase('maxUnavailable above the replicas needs no healthy pod', async (scenario) => {
    await createSet(scenario, 'ReplicaSet', 1);
    await createBudget(scenario, { maxUnavailable: 5 });
    await status(scenario, healthy(1));
  }),

  testCase('pods without a controller have no percentage', async (scenario) => {
    await createPods(scenario, { a: true });
    await createBudget(scenario, { minAvailable: '50%' });
    await status(scenario, isObserved);
    await scenario.events('PodDisruptionBudget', 'web', ['UnmanagedPods']);
    await scenario.evict('a');
  }),

  testCase('a budget whose pods belong to a Job cannot be computed, and allows nothing', async (scenario) => {
    const template = { metadata: { labels }, spec: { ...podSpec, restartPolicy: 'Never' } };
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'web' }, spec: { template } };
    await scenario.post('batch/v1/jobs', job);
    const { items } = await scenario.observe<List<Pod>>(
      'pods',
      (list) => list.items.length === 1,
      (list) => list.items.map(({ metadata: { name, generateName } }) => ({ name, generateName })),
    );
    const pod = items[0]?.metadata.name ?? '';
    await runPod(scenario, pod, '10.0.0.1');
    await createBudget(scenario, { maxUnavailable: 1 });
    await status(scenario, ({ conditions = [] }) => conditions.some(({ reason }) => reason === 'SyncFailed'));
    await scenario.events('PodDisruptionBudget', 'web', ['CalculateExpectedPodCountFailed']);
    await scenario.evict(pod);
  }),

  testCase('an eviction within the budget deletes the pod, the next one is refused', async (scenario) => {
    await createPods(scenario, { a: true, b: true });
    await createBudget(scenario, { minAvailable: 1 });
    await status(scenario, allowed(1));
    await scenario.evict('a');
    await scenario.observe('pods/a', (_, code) => code === 404);
    await status(scenario, (each) => each.expectedPods === 1 && each.disruptedPods === undefined);
    await scenario.evict('b');
    await scenario.observe<Pod>('pods/b', undefined, ({ metadata }) => metadata.name);
  }),

  testCase('an evicted pod that terminates slowly is no longer healthy', async (scenario) => {
    await createPod(scenario, 'a', labels, { terminationGracePeriodSeconds: 60 });
    await runPod(scenario, 'a', '10.0.0.1');
    await createPods(scenario, { b: true });
    await createBudget(scenario, { minAvailable: 1 });
    await status(scenario, allowed(1));
    await scenario.evict('a');
    await status(scenario, (each) => healthy(1)(each) && each.disruptedPods === undefined);
    await scenario.observe<Pod>('pods/a', undefined, (pod) => pod.status?.conditions);
    await scenario.evict('a');
  }),

  testCase('a dry run of an eviction deletes and counts nothing', async (scenario) => {
    await createPods(scenario, { a: true, b: true });
    await createBudget(scenario, { minAvailable: 1 });
    await status(scenario, allowed(1));
    await scenario.evict('a', { dryRun: ['All'] });
    await scenario.evict('a', undefined, { dryRun: 'All' });
    await scenario.pass(1);
    await status(scenario, () => true);
    await scenario.observe<List<Pod>>('pods', undefined, ({ items }) => items.map(({ metadata }) => metadata.name));
  }),

  testCase('an eviction with the uid of another pod is refused', async (scenario) => {
    await createPods(scenario, { a: true });
    await createBudget(scenario, { minAvailable: 0 });
    await status(scenario, allowed(1));
    await scenario.observe<Pod>('pods/a', undefined, ({ metadata }) => metadata);
    await scenario.evict('a', { preconditions: { uid: '1234' } });
    await scenario.observe<Pod>('pods/a', undefined, ({ metadata }) => metadata.name);
  }),

  testCase('a pod that is not ready is evicted from a healthy budget only, or always', async (scenario) => {
    await createPods(scenario, { a: false, b: true });
    await createBudget(scenario, { minAvailable: 2 });
    await status(scenario, healthy(1));
    await scenario.evict('a');
    await scenario.patch('merge', `${budgets}/web`, { spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' } });
    await status(scenario, ({ observedGeneration }) => observedGeneration === 2);
    await scenario.evict('b');
    await scenario.evict('a');
    await scenario.observe('pods/a', (_, code) => code === 404);
  }),

  testCase('a changed budget is computed again', async (scenario) => {
    await createPods(scenario, { a: true, b: true });
    await createBudget(scenario, { minAvailable: 2 });
    await status(scenario, healthy(2));
    await scenario.evict('a');
    await scenario.patch('merge', `${budgets}/web`, { spec: { minAvailable: 1 } });
    await status(scenario, allowed(1));
  }),

  testCase('a pod of two budgets cannot be evicted', async (scenario) => {
    await createPods(scenario, { a: true });
    await createBudget(scenario, { minAvailable: 0 });
    await createBudget(scenario, { minAvailable: 0 }, 'too');
    await status(scenario, isObserved);
    await scenario.evict('a');
  }),

  testCase('an evicted pod that was never deleted counts again after two minutes', async (scenario) => {
    await createPods(scenario, { a: true, b: true });
    await createBudget(scenario, { minAvailable: 1 });
    await status(scenario, allowed(1));
    const time = (secondsAgo: number): string =>
      new Date(scenario.now() - secondsAgo * 1000).toISOString().replace(/\.\d+Z/, 'Z');
    await scenario.patch('merge', `${budgets}/web/status`, { status: { disruptedPods: { a: time(0) } } });
    await status(scenario, allowed(0));
    await scenario.patch('merge', `${budgets}/web/status`, { status: { disruptedPods: { a: time(600) } } });
    await status(scenario, allowed(1));
    await scenario.events('Pod', 'a', ['NotDeleted']);
  }),

  testCase('the pods of a Deployment that is scaled are expected once they are there', async (scenario) => {
    await createSet(scenario, 'Deployment', 1);
    await createBudget(scenario, { maxUnavailable: 1 });
    await status(scenario, allowed(1));
    await scenario.patch('merge', 'apps/v1/deployments/web', { spec: { replicas: 3 } });
    await status(scenario, ({ expectedPods }) => expectedPods === 3);
  }),
];
