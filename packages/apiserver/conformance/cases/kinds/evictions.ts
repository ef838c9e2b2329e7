// SPDX-License-Identifier: Apache-2.0
import type { PodDisruptionBudget } from '@forge/kube/kinds/builtin.ts';
import { as } from '../../conversation/callers.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { pod } from '../../objects/objects.ts';

const budgets = 'policy/v1/poddisruptionbudgets';

function evict(api: Conversation, name: string, more: object = {}, query?: Record<string, string>) {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: api.namespace }, ...more };
  return api.post(`pods/${name}/eviction`, eviction, query);
}

/** Pods of one app; a running one is ready or not, and is on a node that does not exist. */
async function running(api: Conversation, name: string, ready = true): Promise<void> {
  await api.post('pods', { ...pod(name, { nodeName: 'nowhere' }), metadata: { name, labels: { app: 'web' } } });
  const condition = { type: 'Ready', status: ready ? 'True' : 'False' };
  await api.patch('merge', `pods/${name}/status`, { status: { phase: 'Running', conditions: [condition] } });
}

/** A budget for the app, with the status that a controller would write. */
async function budget(api: Conversation, name: string, status: object, spec: object = {}): Promise<void> {
  const selector = { matchLabels: { app: 'web' } };
  const wanted = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name } };
  await api.post(budgets, { ...wanted, spec: { minAvailable: 1, selector, ...spec } });
  const counts = {
    observedGeneration: 1,
    currentHealthy: 1,
    desiredHealthy: 1,
    expectedPods: 1,
    disruptionsAllowed: 0,
  };
  await api.patch<PodDisruptionBudget>('merge', `${budgets}/${name}/status`, { status: { ...counts, ...status } });
}

/** Evictions of pods. */
export const evictions: readonly ConformanceCase[] = [
  testCase('a pod without a budget is evicted as if deleted', async (api) => {
    await running(api, 'a');
    await evict(api, 'a', { deleteOptions: { dryRun: ['All'] } });
    await api.get('pods/a');
    await evict(api, 'a');
    await api.get('pods/a');
    await evict(api, 'a', { deleteOptions: { gracePeriodSeconds: 0 } });
    await api.get('pods/a');
  }),

  testCase('a pod that has not begun is evicted whatever its budget says', async (api) => {
    await api.post('pods', { ...pod('a'), metadata: { name: 'a', labels: { app: 'web' } } });
    await budget(api, 'web', {});
    await evict(api, 'a');
    await api.get('pods/a');
  }),

  testCase('a budget that allows no disruption refuses an eviction', async (api) => {
    await running(api, 'a');
    await budget(api, 'web', {});
    await evict(api, 'a');
    await api.patch('merge', `${budgets}/web/status`, { status: { currentHealthy: 2 } });
    await evict(api, 'a');
    await api.patch('merge', `${budgets}/web`, { spec: { minAvailable: 2 } });
    await evict(api, 'a');
    await api.get(`${budgets}/web`);
  }),

  testCase('an eviction is counted against its budget', async (api) => {
    await running(api, 'a');
    await running(api, 'b');
    await budget(api, 'web', { disruptionsAllowed: 1, currentHealthy: 2, expectedPods: 2 });
    await evict(api, 'a', { deleteOptions: { gracePeriodSeconds: 0 } });
    await api.get(`${budgets}/web`);
    await evict(api, 'b');
  }),

  testCase('a pod that is not ready is evicted when enough others are, or always', async (api) => {
    await running(api, 'a', false);
    await running(api, 'b', false);
    await budget(api, 'web', { currentHealthy: 0 });
    await evict(api, 'a');
    await api.patch('merge', `${budgets}/web/status`, { status: { currentHealthy: 1 } });
    await evict(api, 'a', { deleteOptions: { gracePeriodSeconds: 0 } });
    await api.patch('merge', `${budgets}/web/status`, { status: { currentHealthy: 0 } });
    await api.patch('merge', `${budgets}/web`, { spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' } });
    await evict(api, 'b', { deleteOptions: { gracePeriodSeconds: 0 } });
    await api.get('pods/b');
  }),

  testCase('an eviction that makes no sense is refused', async (api) => {
    await evict(api, 'missing');
    await running(api, 'a');
    await api.post('pods/a/eviction', { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'b' } });
    await evict(api, 'a', { deleteOptions: { preconditions: { uid: '1234' } } });
    await budget(api, 'web', { disruptionsAllowed: 1 });
    await budget(api, 'too', { disruptionsAllowed: 1 });
    await evict(api, 'a');
    await api.get('pods/a/eviction');
    await api.post('pods/a/eviction', {}, {}, as('jane'));
  }),
];
