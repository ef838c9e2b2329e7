// SPDX-License-Identifier: Apache-2.0
import type { DeploymentSpec } from '@forge/kube/generated/types.ts';

/** The sizes of a ReplicaSet that a rollout looks at; the sets of a rollout are given oldest first. */
export interface SetSize {
  replicas: number;
  available: number;
}

/** How far a rollout may leave the wanted number of pods, in pods. */
export interface RolloutBounds {
  replicas: number;
  maxSurge: number;
  maxUnavailable: number;
}

/** The bounds in pods: surge is rounded up, unavailability down, and both at nothing would never get anywhere. */
export function rolloutBounds(spec: DeploymentSpec): RolloutBounds {
  const replicas = spec.replicas ?? 1;
  if (spec.strategy?.type === 'Recreate') return { replicas, maxSurge: 0, maxUnavailable: 0 };
  const { maxSurge = '25%', maxUnavailable = '25%' } = spec.strategy?.rollingUpdate ?? {};
  const surge = podsOf(maxSurge, replicas, Math.ceil);
  const unavailable = podsOf(maxUnavailable, replicas, Math.floor);
  return {
    replicas,
    maxSurge: surge,
    maxUnavailable: Math.min(surge === 0 && unavailable === 0 ? 1 : unavailable, replicas),
  };
}

/** How large the new set may be now, beside old sets of `oldReplicas` pods in all. */
export function nextNewReplicas(bounds: RolloutBounds, newReplicas: number, oldReplicas: number): number {
  if (newReplicas >= bounds.replicas) return bounds.replicas;
  const room = bounds.replicas + bounds.maxSurge - newReplicas - oldReplicas;
  return newReplicas + Math.max(0, Math.min(room, bounds.replicas - newReplicas));
}

/**
 * How large each old set (oldest first) may stay now: pods that serve nobody go first, then serving ones as far as
 * enough others serve. Pods of the new set that do not serve yet cannot stand in for old ones.
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

function podsOf(value: number | string, total: number, round: (pods: number) => number): number {
  const percent = /^(\d+)%$/.exec(String(value))?.[1];
  return percent === undefined ? Number(value) : round((Number(percent) * total) / 100);
}
