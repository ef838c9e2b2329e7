// SPDX-License-Identifier: Apache-2.0
import { Deployment, Job, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';

/**
 * Controllers that immediately report Deployments as available, StatefulSets as ready and Jobs as complete, without
 * pods.
 */
export function instantControllers(): Controller[] {
  return [deployments, statefulSets, jobs];
}

const deployments: Controller = {
  name: 'deployments',
  for: Deployment,
  async reconcile(ref, { cache, client, clock }) {
    const deployment = cache.get(Deployment, ref);
    const { generation = 0, deletionTimestamp } = deployment?.metadata ?? {};
    if (deployment === undefined || deletionTimestamp !== undefined) return undefined;
    if (deployment.status?.observedGeneration === generation) return undefined;
    const replicas = deployment.spec?.replicas ?? 1;
    const time = timestamp(clock);
    const available = { type: 'Available', status: 'True', lastTransitionTime: time, lastUpdateTime: time };
    const counts = { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
    const status = { observedGeneration: generation, ...counts, conditions: [available] };
    await client.update(Deployment, { ...deployment, status }, { subresource: 'status' });
    return undefined;
  },
};

const statefulSets: Controller = {
  name: 'stateful-sets',
  for: StatefulSet,
  async reconcile(ref, { cache, client }) {
    const set = cache.get(StatefulSet, ref);
    const { generation = 0, deletionTimestamp } = set?.metadata ?? {};
    if (set === undefined || deletionTimestamp !== undefined) return undefined;
    if (set.status?.observedGeneration === generation) return undefined;
    const replicas = set.spec?.replicas ?? 1;
    const status = { observedGeneration: generation, replicas, readyReplicas: replicas, availableReplicas: replicas };
    await client.update(StatefulSet, { ...set, status }, { subresource: 'status' });
    return undefined;
  },
};

const jobs: Controller = {
  name: 'jobs',
  for: Job,
  async reconcile(ref, { cache, client, clock }) {
    const job = cache.get(Job, ref);
    if (job === undefined || job.metadata.deletionTimestamp !== undefined) return undefined;
    if ((job.status?.conditions ?? []).length > 0) return undefined;
    const time = timestamp(clock);
    const conditions = [
      { type: 'SuccessCriteriaMet', status: 'True' },
      { type: 'Complete', status: 'True', lastTransitionTime: time },
    ];
    const status = { succeeded: 1, startTime: time, completionTime: time, conditions };
    await client.update(Job, { ...job, status }, { subresource: 'status' });
    return undefined;
  },
};
