// SPDX-License-Identifier: Apache-2.0
import { Pod, type Deployment } from '@forge/kube/kinds/builtin.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import { hasElapsed } from '@forge/runtime/environment/has-elapsed.ts';
import { isTrue } from '@forge/runtime/objects/condition.ts';
import { readsLabelled } from '@forge/runtime/steps/reads.ts';
import type { Keystone } from '../../api/keystone.ts';
import { selectorLabels } from '../../api/names.ts';
import type { Services } from '../../clients/services.ts';

/** The API pods, read live: a Deployment counts neither those that drain nor what is wrong with them. */
export const apiPods = readsLabelled<Keystone, Services, Pod>(Pod, selectorLabels, { live: true });

/** Whether enough pods serve; old ones count. */
export function isAvailable(deployment: Deployment): boolean {
  const { metadata, spec, status } = deployment;
  return (
    (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0) &&
    (status?.readyReplicas ?? 0) >= (spec?.replicas ?? 1) &&
    isTrue(deployment, 'Available')
  );
}

/** Whether pods of the current template serve, and no others are left; those that drain are not counted. */
export function isRolledOut(deployment: Deployment): boolean {
  const { replicas = 0, updatedReplicas = 0 } = deployment.status ?? {};
  const desired = deployment.spec?.replicas ?? 1;
  return isAvailable(deployment) && updatedReplicas >= desired && replicas === updatedReplicas;
}

/** Whether all pods are of the current template, and no fewer serve than did when the last rollout was complete. */
export function isScaling({ spec, status }: Deployment, formerReplicas: number): boolean {
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0 } = status ?? {};
  return replicas === updatedReplicas && readyReplicas >= Math.min(formerReplicas, spec?.replicas ?? 1);
}

/** Whether a rollout has made no progress for this long. */
export function isStalled(deployment: Deployment, now: number, delay: Duration): boolean {
  const { metadata, status } = deployment;
  const isObserved = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  return isObserved && !isRolledOut(deployment) && hasElapsed(lastProgressOf(deployment), delay, now);
}

/** When the Deployment last gained or lost pods. */
function lastProgressOf({ metadata, status }: Deployment): number {
  const times = (status?.conditions ?? []).flatMap(({ lastUpdateTime, lastTransitionTime }) => [
    lastUpdateTime,
    lastTransitionTime,
  ]);
  const known = [metadata.creationTimestamp, ...times].flatMap((time) =>
    time === undefined ? [] : [Date.parse(time)],
  );
  return Math.max(0, ...known);
}
