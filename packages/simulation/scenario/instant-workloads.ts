// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { Deployment, Job, Pod } from '@forge/kube/kinds/builtin.ts';
import type { Controller } from '@forge/runtime/controller/controller.ts';
import { controllerReference } from '@forge/runtime/objects/owner-reference.ts';
import { timestamp } from '@forge/runtime/time/clock.ts';
import { operatorProcess } from './operator-process.ts';
import type { Process } from './scenario.ts';

/** An image that cannot be pulled: a Job with it is stuck. */
export const missingImage = 'missing';

/** A process that stands in for the workload controllers and nodes. */
export function instantWorkloads(): Process {
  return { ...operatorProcess('workloads', instantControllers), reliable: true };
}

/** Controllers that report every Deployment available and every Job complete at once, without pods. */
export function instantControllers(): Controller[] {
  return [deployments, jobs];
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
    await client.patch(Deployment, ref, 'merge', { status }, { subresource: 'status' });
    return undefined;
  },
};

const jobs: Controller = {
  name: 'jobs',
  for: Job,
  async reconcile(ref, { cache, client, clock }) {
    const job = cache.get(Job, ref);
    if (job === undefined || job.metadata.deletionTimestamp !== undefined) return undefined;
    if ((job.status?.conditions ?? []).length > 0 || (job.status?.active ?? 0) > 0) return undefined;
    const isStuck = job.spec?.template.spec?.containers[0]?.image === missingImage;
    if (isStuck) await createStuckPod(job, client);
    const time = timestamp(clock);
    const done = [
      { type: 'SuccessCriteriaMet', status: 'True' },
      { type: 'Complete', status: 'True', lastTransitionTime: time },
    ];
    const status = isStuck
      ? { active: 1, ready: 0, startTime: time }
      : { succeeded: 1, startTime: time, completionTime: time, conditions: done };
    await client.patch(Job, ref, 'merge', { status }, { subresource: 'status' });
    return undefined;
  },
};

async function createStuckPod(job: Job, client: Client): Promise<void> {
  const { namespace, name } = job.metadata;
  const labels = { 'batch.kubernetes.io/job-name': name };
  const metadata = { namespace, name: `${name}-pod`, labels, ownerReferences: [controllerReference(job)] };
  const spec = { containers: [{ name: 'main', image: missingImage }] };
  if ((await client.find(Pod, metadata)) === undefined) {
    await client.create(Pod, { apiVersion: 'v1', kind: 'Pod', metadata: metadata as Pod['metadata'], spec });
  }
  const state = { waiting: { reason: 'ErrImagePull' } };
  const stuck = { name: 'main', image: missingImage, imageID: '', ready: false, restartCount: 0, state };
  const status = { phase: 'Pending', containerStatuses: [stuck] };
  await client.patch(Pod, metadata, 'merge', { status }, { subresource: 'status' });
}
