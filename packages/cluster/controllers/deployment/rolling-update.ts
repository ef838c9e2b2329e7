// SPDX-License-Identifier: Apache-2.0
import type { DeploymentSpec } from '@forge/kube/generated/types.ts';
import { intOrPercent } from '../../objects/int-or-percent.ts';

/** The sizes of a ReplicaSet during a rollout; ReplicaSets are given oldest first. */
export interface SetSize {
  replicas: number;
  available: number;
}

/** How far a rollout may deviate from the desired number of pods. */
export interface RolloutBounds {
  replicas: number;
  maxSurge: number;
  maxUnavailable: number;
}

/** The bounds in pods: surge is rounded up, unavailability down; if both are zero, one pod may be unavailable. */
export function rolloutBounds(spec: DeploymentSpec): RolloutBounds {
  const replicas = spec.replicas ?? 1;
  if (spec.strategy?.type === 'Recreate') return { replicas, maxSurge: 0, maxUnavailable: 0 };
  const { maxSurge = '25%', maxUnavailable = '25%' } = spec.strategy?.rollingUpdate ?? {};
  const surge = intOrPercent(maxSurge, replicas, Math.ceil);
  const unavailable = intOrPercent(maxUnavailable, replicas, Math.floor);
  return {
    replicas,
    maxSurge: surge,
    maxUnavailable: Math.min(surge === 0 && unavailable === 0 ? 1 : unavailable, replicas),
  };
}

/** The size of the new ReplicaSet, when the old ones have `oldReplicas` pods in total. */
export function nextNewReplicas(bounds: RolloutBounds, newReplicas: number, oldReplicas: number): number {
  if (newReplicas >= bounds.replicas) return bounds.replicas;
  const room = bounds.replicas + bounds.maxSurge - newReplicas - oldReplicas;
  return newReplicas + Math.max(0, Math.min(room, bounds.replicas - newReplicas));
}

/**
 * The size of each old ReplicaSet (oldest first): unavailable pods are removed first, then available ones as far as
 * enough others are available. Unavailable new pods do not count.
 */
export function nextOldReplicas(bounds: RolloutBounds, current: SetSize, old: readonly SetSize[]): number[] {
  const serving = Math.min(current.available, current.replicas);
  let removable =
    old.reduce((total, { replicas }) => total + replicas, serving) - bounds.replicas + bounds.maxUnavailable;
  function take(replicas: number, most: number): number {
    const taken = Math.max(0, Math.min(removable, most));
    removable -= taken;
    return replicas - taken;
  }
  return old
    .map(({ replicas, available }) => take(replicas, replicas - available))
    .map((replicas) => take(replicas, replicas));
}
