// SPDX-License-Identifier: Apache-2.0
import type { RolloutBounds } from './rolling-update.ts';

/** A ReplicaSet in the middle of a rollout, with the ceiling that held when it got its size. */
export interface ScaledSet {
  replicas: number;
  /** What desired plus surge was; undefined when nobody wrote it down. */
  ceiling: number | undefined;
}

/**
 * Shares a change of the Deployment's size among the sets of a rollout under way (oldest first), each in proportion to
 * its part, so that a larger Deployment does not mean more of an unproven template. What rounding leaves goes to the
 * largest set; among equals to the newest when growing, to the oldest when shrinking.
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
