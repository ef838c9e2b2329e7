// SPDX-License-Identifier: Apache-2.0
import { Deployment, ReplicaSet, type Pod, type PodDisruptionBudget } from '@forge/kube/kinds/builtin.ts';
import { resourceName } from '@forge/kube/kinds/kind.ts';
import { groupOf, type OwnerReference } from '@forge/kube/objects/object.ts';
import type { ReconcileContext } from '@forge/runtime/controller/controller.ts';
import { controllerOf } from '@forge/runtime/objects/owner-reference.ts';
import { intOrPercent } from '../../objects/int-or-percent.ts';
import { findKind, findScale } from '../../objects/scale.ts';

/** How many pods a budget expects, and how many of them must be healthy. */
export interface Expectation {
  expectedPods: number;
  desiredHealthy: number;
  /** Whether some pods have no controller, although the number is computed from controllers. */
  hasUnmanaged: boolean;
}

/** The number of replicas that the pods' controllers want is unknown. */
export class UnknownScale extends Error {
  override readonly name = 'UnknownScale';
}

/** What a budget expects: a number counts the pods; percentages and maxUnavailable use the replicas of controllers. */
export async function expectedPods(
  { spec }: PodDisruptionBudget,
  pods: readonly Pod[],
  context: ReconcileContext,
): Promise<Expectation> {
  const { minAvailable, maxUnavailable } = spec ?? {};
  if (maxUnavailable === undefined && typeof minAvailable !== 'string') {
    return {
      expectedPods: minAvailable === undefined ? 0 : pods.length,
      desiredHealthy: minAvailable ?? 0,
      hasUnmanaged: false,
    };
  }
  const scales = new Map<string, number>();
  const controllers = pods.map((pod) => ({ pod, owner: controllerOf(pod) }));
  for (const { pod, owner } of controllers) {
    if (owner === undefined || scales.has(owner.uid)) continue;
    const scale = await scaleOf(owner, pod.metadata.namespace, context);
    if (scale === undefined) throw new UnknownScale(`found no controllers for pod "${pod.metadata.name}"`);
    scales.set(scale.uid, scale.replicas);
  }
  const total = [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
  const share = intOrPercent(maxUnavailable ?? minAvailable ?? 0, total, Math.ceil);
  return {
    expectedPods: total,
    desiredHealthy: maxUnavailable === undefined ? share : Math.max(0, total - share),
    hasUnmanaged: controllers.some(({ owner }) => owner === undefined),
  };
}

/** The desired replicas of a pod's controller; for the ReplicaSet of a Deployment, those of the Deployment. */
async function scaleOf(
  owner: OwnerReference,
  namespace: string | undefined,
  { cache, client }: ReconcileContext,
): Promise<{ uid: string; replicas: number } | undefined> {
  const ref = { namespace, name: owner.name };
  if (owner.kind === ReplicaSet.kind && groupOf(owner.apiVersion) === ReplicaSet.group) {
    const set = cache.get(ReplicaSet, ref);
    const parent = set?.metadata.uid === owner.uid ? controllerOf(set) : undefined;
    if (parent?.kind === Deployment.kind) {
      const deployment = cache.get(Deployment, { namespace, name: parent.name });
      if (deployment?.metadata.uid === parent.uid) return { uid: parent.uid, replicas: deployment.spec?.replicas ?? 1 };
    }
  }
  const kind = await findKind(client, groupOf(owner.apiVersion), owner.kind);
  if (kind === undefined)
    throw new UnknownScale(`no matches for kind "${owner.kind}" in version "${owner.apiVersion}"`);
  if (!kind.subresources.includes('scale')) {
    throw new UnknownScale(`${resourceName(kind)} does not implement the scale subresource`);
  }
  const scale = await findScale(client, kind, ref);
  return scale?.metadata.uid === owner.uid ? { uid: owner.uid, replicas: scale.spec?.replicas ?? 0 } : undefined;
}
