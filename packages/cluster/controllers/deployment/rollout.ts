// SPDX-License-Identifier: Apache-2.0
import type { DeploymentSpec } from '@forge/kube/generated/types.ts';
import type { ReplicaSet } from '@forge/kube/kinds/builtin.ts';
import type { EventNote } from '@forge/runtime/events/event-recorder.ts';
import { proportionalScale } from './proportional-scale.ts';
import { nextNewReplicas, nextOldReplicas, type RolloutBounds, type SetSize } from './rolling-update.ts';
import { sizeWhenScaled } from './template-set.ts';

/** A ReplicaSet and its next size. */
export interface Resize {
  set: ReplicaSet;
  replicas: number;
}

/** The ReplicaSets of a Deployment, oldest first; the current one has its template. */
export interface DeploymentSets {
  all: readonly ReplicaSet[];
  old: readonly ReplicaSet[];
  current: ReplicaSet | undefined;
}

/** Whether the Deployment was scaled since its ReplicaSets were: then they are resized and the rollout waits. */
export function isResized({ replicas }: RolloutBounds, { all }: DeploymentSets): boolean {
  return all.some((set) => {
    const { desired } = sizeWhenScaled(set);
    return replicasOf(set) > 0 && desired !== undefined && desired !== replicas;
  });
}

/** The sizes of the ReplicaSets while the rollout waits. */
export function resize(bounds: RolloutBounds, sets: DeploymentSets): Resize[] {
  const active = sets.all.filter((set) => replicasOf(set) > 0);
  if (active.length <= 1) {
    const [only = sets.current ?? sets.all.at(-1)] = active;
    return only === undefined ? [] : [{ set: only, replicas: bounds.replicas }];
  }
  if (sets.current !== undefined && isSaturated(sets.current, bounds)) {
    return active.filter((set) => set !== sets.current).map((set) => ({ set, replicas: 0 }));
  }
  const sizes = proportionalScale(
    bounds,
    active.map((set) => ({ replicas: replicasOf(set), ceiling: sizeWhenScaled(set).ceiling })),
  );
  return active.map((set, index) => ({ set, replicas: sizes[index] ?? 0 }));
}

/**
 * The next sizes of a rollout: with Recreate, all old pods are deleted first; otherwise the new ReplicaSet grows first,
 * within the surge.
 */
export function rollOut(strategy: string, bounds: RolloutBounds, { current, old }: DeploymentSets): Resize[] {
  if (strategy === 'Recreate') {
    const gone = old.filter((set) => replicasOf(set) > 0).map((set) => ({ set, replicas: 0 }));
    return gone.length > 0 || current === undefined ? gone : [{ set: current, replicas: bounds.replicas }];
  }
  if (current === undefined) return [];
  const grown = nextNewReplicas(bounds, replicasOf(current), totalReplicas(old));
  if (grown !== replicasOf(current)) return [{ set: current, replicas: grown }];
  const sizes = nextOldReplicas(bounds, sizeOf(current), old.map(sizeOf));
  return [{ set: current, replicas: grown }, ...old.map((set, index) => ({ set, replicas: sizes[index] ?? 0 }))];
}

/** The desired replicas of a ReplicaSet. */
export function replicasOf({ spec }: ReplicaSet): number {
  return spec?.replicas ?? 1;
}

/** The desired replicas of all these ReplicaSets. */
export function totalReplicas(sets: readonly ReplicaSet[]): number {
  return sets.reduce((total, set) => total + replicasOf(set), 0);
}

/** The event about a resized ReplicaSet. */
export function scaledEvent(name: string, from: number, to: number): EventNote {
  const message = `Scaled ${to > from ? 'up' : 'down'} replica set ${name} from ${from} to ${to}`;
  return { type: 'Normal', reason: 'ScalingReplicaSet', message };
}

/** The Deployment's update strategy. */
export function strategyOf({ strategy }: DeploymentSpec): string {
  return strategy?.type ?? 'RollingUpdate';
}

function isSaturated(set: ReplicaSet, { replicas }: RolloutBounds): boolean {
  const { desired } = sizeWhenScaled(set);
  return replicasOf(set) === replicas && desired === replicas && set.status?.availableReplicas === replicas;
}

function sizeOf(set: ReplicaSet): SetSize {
  return { replicas: replicasOf(set), available: set.status?.availableReplicas ?? 0 };
}
