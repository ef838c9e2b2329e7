// SPDX-License-Identifier: Apache-2.0
import type { RolloutBounds } from './rolling-update.ts';

/** A ReplicaSet during a rollout, with the maximum total that applied when it was last scaled. */
export interface ScaledSet {
  replicas: number;
  /** Desired replicas plus surge at that time; undefined when not recorded. */
  ceiling: number | undefined;
}

/**
 * Distributes a change of the Deployment's size over the ReplicaSets of a rollout in progress (oldest first), in
 * proportion to their size, so that scaling up does not favour an unproven template. The rounding remainder goes to the
 * largest; among equals, to the newest when scaling up and to the oldest when scaling down.
 */
export function proportionalScale(bounds: RolloutBounds, sets: readonly ScaledSet[]): number[] {
  const ceiling = bounds.replicas > 0 ? bounds.replicas + bounds.maxSurge : 0;
  let left = ceiling - sets.reduce((total, { replicas }) => total + replicas, 0);
  const growing = left > 0;
  const sizes = sets.map(({ replicas }) => replicas);
  const order = sets
    .map((set, index) => ({ ...set, index }))
    .toSorted((a, b) => b.replicas - a.replicas || (growing ? b.index - a.index : a.index - b.index));
  for (const { replicas, ceiling: before, index } of order) {
    const share = Math.round((replicas * ceiling) / (before ?? bounds.replicas)) - replicas;
    const given = growing ? Math.max(0, Math.min(share, left)) : Math.min(0, Math.max(share, left));
    sizes[index] = replicas + given;
    left -= given;
  }
  const largest = order[0];
  if (largest !== undefined) sizes[largest.index] = Math.max(0, (sizes[largest.index] ?? 0) + left);
  return sizes;
}
