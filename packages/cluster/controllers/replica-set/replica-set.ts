// SPDX-License-Identifier: Apache-2.0
import type { ReplicaSetSpec } from '@forge/kube/generated/types.ts';
import { Pod, ReplicaSet } from '@forge/kube/kinds/builtin.ts';
import type { Controller, ReconcileContext } from '@forge/runtime/controller/controller.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import { isActive, untilNextAvailable } from '../../objects/pod-state.ts';
import { writeStatus } from '../../objects/write-status.ts';
import { claim, watchOrphans } from '../ownership/claim.ts';
import { createPods, deletePods, podsPerPass } from '../ownership/create-pods.ts';
import { podFromTemplate } from '../ownership/pod-from-template.ts';
import { scaleDownOrder } from '../ownership/scale-down-order.ts';
import { replicaSetStatus } from './replica-set-status.ts';

/** The ReplicaSet controller: keeps the desired number of pods running. */
export const replicaSetController: Controller = {
  name: 'replicaset-controller',
  for: ReplicaSet,
  owns: [Pod],
  watches: [watchOrphans(Pod, ReplicaSet)],

  async reconcile(ref, context): Promise<Duration | undefined> {
    const set = context.cache.get(ReplicaSet, ref);
    if (set?.spec === undefined) return undefined;
    const pods = await claim(Pod, ReplicaSet, set, set.spec.selector, context);
    let failure: Error | undefined;
    try {
      if (set.metadata.deletionTimestamp === undefined) await scale(set, set.spec, pods.filter(isActive), context);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      failure = error;
    }
    await writeStatus(context.client, ReplicaSet, set, replicaSetStatus(set, set.spec, pods, context.clock, failure));
    if (failure !== undefined) throw failure;
    return untilNextAvailable(pods.filter(isActive), set.spec.minReadySeconds ?? 0, context.clock.now());
  },
};

async function scale(
  set: ReplicaSet,
  { replicas = 1, template = {} }: ReplicaSetSpec,
  active: readonly Pod[],
  context: ReconcileContext,
): Promise<void> {
  const missing = replicas - active.length;
  if (missing > 0) await createPods(set, podFromTemplate(template, set), Math.min(missing, podsPerPass), context);
  else await deletePods(set, scaleDownOrder(active).slice(0, Math.min(-missing, podsPerPass)), context);
}
