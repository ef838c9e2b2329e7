// SPDX-License-Identifier: Apache-2.0
import type { Job, Pod } from '@forge/kube/kinds/builtin.ts';
import type { List, Scenario } from './controller-case.ts';
import { nodeName } from './play.ts';

/** A pod spec on the node of all cases; the pod is gone as soon as it is deleted. */
export const podSpec = {
  nodeName,
  automountServiceAccountToken: false,
  terminationGracePeriodSeconds: 0,
  containers: [{ name: 'main', image: 'example:1', ports: [{ name: 'web', containerPort: 8080 }] }],
};

/** Creates a pod without a controller. */
export async function createPod(
  scenario: Scenario,
  name: string,
  labels: Readonly<Record<string, string>>,
  spec: object = {},
): Promise<void> {
  await scenario.post('pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels },
    spec: { ...podSpec, ...spec },
  });
}

/** Reports a pod as running, at an address, ready or not. */
export async function runPod(scenario: Scenario, name: string, podIP: string, ready = true): Promise<void> {
  const condition = { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: time(scenario) };
  const status = { phase: 'Running', podIP, podIPs: [{ ip: podIP }], conditions: [condition] };
  await scenario.patch('merge', `pods/${name}/status`, { status });
}

/** Reports that the containers of a pod have terminated. */
export async function finishPod(scenario: Scenario, name: string, exitCode: number): Promise<void> {
  const state = { terminated: { exitCode, startedAt: time(scenario), finishedAt: time(scenario) } };
  const containerStatuses = [
    { name: 'main', image: 'example:1', imageID: 'example:1', ready: false, restartCount: 0, state },
  ];
  const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
  const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime: time(scenario) }];
  await scenario.patch('merge', `pods/${name}/status`, { status: { phase, conditions, containerStatuses } });
}

/** Finishes the only pod of a Job, and waits until the Job has finished. */
export async function finishJob(scenario: Scenario, job: string, exitCode: number): Promise<void> {
  const query = { labelSelector: `batch.kubernetes.io/job-name=${job}` };
  const { items } = await scenario.until<List<Pod>>('pods', (list) => list.items.length === 1, query);
  await finishPod(scenario, items[0]?.metadata.name ?? '', exitCode);
  await scenario.until<Job>(`batch/v1/jobs/${job}`, isFinished);
}

/** Whether a Job has finished, or has been deleted. */
export function isFinished({ kind, status }: Job): boolean {
  if ((kind as string) === 'Status') return true;
  const ends = status?.conditions?.filter(({ type }) => type === 'Complete' || type === 'Failed') ?? [];
  return ends.some((each) => each.status === 'True');
}

function time(scenario: Scenario): string {
  return new Date(scenario.now()).toISOString().replace(/\.\d+Z/, 'Z');
}
