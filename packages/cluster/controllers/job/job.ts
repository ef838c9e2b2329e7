// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { JobCondition, JobStatus } from '@forge/kube/generated/types.ts';
import { Job, Pod } from '@forge/kube/kinds/builtin.ts';
import { refOf, type ObjectRef } from '@forge/kube/objects/object.ts';
import { formatLabelSelector } from '@forge/kube/selectors/selector.ts';
import type { Controller, ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { milliseconds, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { controllerOf, isControlledBy } from '@forge/runtime/objects/owner-reference.ts';
import { removeObject } from '../../objects/remove-object.ts';
import { writeStatus } from '../../objects/write-status.ts';
import { createPods, deletePods } from '../ownership/create-pods.ts';
import { podFromTemplate } from '../ownership/pod-from-template.ts';
import { planJob } from './job-plan.ts';
import { jobTracking } from './pod-counts.ts';

/** The value of managedBy for this controller; Jobs with another value belong to another controller. */
const ownName = 'kubernetes.io/job-controller';

/** The Job controller: runs pods until enough have succeeded, too many have failed, or the deadline is reached. */
export const jobController: Controller = {
  name: 'job-controller',
  for: Job,
  owns: [Pod],

  async reconcile(ref, context): Promise<Duration | undefined> {
    const { cache, client, clock, event } = context;
    const job = cache.get(Job, ref);
    await releaseOrphans(ref, job, context);
    if (job?.spec === undefined) return undefined;
    if (endOf(job.status) !== undefined) return cleanUp(job, context);
    if ((job.spec.managedBy ?? ownName) !== ownName) return undefined;

    let pods = cache.list(Pod, { namespace: ref.namespace, owner: job.metadata.uid ?? '' });
    let plan = planJob(job.spec, job.status, pods, clock);
    if (endOf(plan.status) !== undefined) {
      // The cache does not show pods that this controller has deleted. The result is recorded only once, so ask the
      // server.
      const labelSelector = formatLabelSelector(job.spec.selector ?? {});
      const { items } = await client.list(Pod, { namespace: ref.namespace, labelSelector });
      pods = items.filter((pod) => isControlledBy(pod, job));
      plan = planJob(job.spec, job.status, pods, clock);
    }
    if (job.metadata.deletionTimestamp === undefined) {
      await createPods(job, podFromTemplate(job.spec.template, job, [jobTracking]), plan.create, context);
      for (const pod of plan.remove) await release(pod, context);
      await deletePods(job, plan.remove, context);
    }
    if (!(await writeStatus(client, Job, job, plan.status))) return undefined;
    // Not earlier: until the uids are saved as uncounted, the finalizer is the only record of these pods.
    const { succeeded = [], failed = [] } = plan.status.uncountedTerminatedPods ?? {};
    const listed = new Set([...succeeded, ...failed]);
    for (const pod of pods) if (listed.has(pod.metadata.uid ?? '')) await release(pod, context);
    await deletePods(job, plan.stop, context);

    const end = endOf(plan.status);
    if (end?.type === 'Complete') await event(job, { type: 'Normal', reason: 'Completed', message: 'Job completed' });
    else if (end) await event(job, { type: 'Warning', reason: end.reason ?? '', message: end.message ?? '' });
    return end === undefined ? plan.recheck : cleanUp({ ...job, status: plan.status }, context);
  },
};

/** The condition of a finished Job. */
function endOf(status: JobStatus | undefined): JobCondition | undefined {
  return status?.conditions?.find(
    ({ type, status: is }) => (type === 'Complete' || type === 'Failed') && is === 'True',
  );
}

/** Deletes a finished Job after ttlSecondsAfterFinished. */
async function cleanUp(job: Job, { client, clock }: ReconcileContext): Promise<Duration | undefined> {
  const ttl = job.spec?.ttlSecondsAfterFinished;
  if (ttl === undefined || job.metadata.deletionTimestamp !== undefined) return undefined;
  const left = Date.parse(endOf(job.status)?.lastTransitionTime ?? '') + seconds(ttl) - clock.now();
  if (left > 0) return milliseconds(left);
  await removeObject(client, Job, job, { propagation: 'Foreground' });
  return undefined;
}

/** Removes the finalizer of pods whose Job is gone: they will not be counted. */
async function releaseOrphans(ref: ObjectRef, job: Job | undefined, context: ReconcileContext): Promise<void> {
  for (const pod of context.cache.list(Pod, { namespace: ref.namespace })) {
    const owner = controllerOf(pod);
    const isOrphan = owner?.kind === 'Job' && owner.name === ref.name && owner.uid !== job?.metadata.uid;
    if (isOrphan) await release(pod, context);
  }
}

/** Removes the tracking finalizer of a pod. */
async function release(pod: Pod, { client }: ReconcileContext): Promise<void> {
  const { finalizers = [], resourceVersion } = pod.metadata;
  if (!finalizers.includes(jobTracking)) return;
  const others = finalizers.filter((finalizer) => finalizer !== jobTracking);
  try {
    await client.patch(Pod, refOf(pod), 'merge', { metadata: { resourceVersion, finalizers: others } });
  } catch (error) {
    if (!isApiError(error, 'NotFound')) throw error;
  }
}
