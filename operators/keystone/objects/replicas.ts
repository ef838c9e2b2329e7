// SPDX-License-Identifier: Apache-2.0
import type { Deployment } from '@forge/kube/kinds/builtin.ts';
import type { Keystone } from '../api/keystone.ts';
import { replicasKeptAnnotation } from '../api/names.ts';
import { strategyOf } from './strategy.ts';

/** How many API pods there are to be. */
export interface Replicas {
  readonly count: number;
  /** The fewest that an autoscaler may leave; the count where there is none. */
  readonly least: number;
  /** Remembered on the Deployment while autoscaling decides, and while its last count stays. */
  readonly kept?: string;
}

/**
 * An autoscaler's count is left alone, also after it was switched off: what it found necessary stays until spec.replicas
 * changes. `kept` is the count and the spec.replicas for which it stays, as `7/3`; the count is `*` while autoscaling is on.
 */
export function replicasOf({ spec }: Keystone, live: Deployment | undefined): Replicas {
  const { autoscaling, replicas } = spec;
  const current = live?.spec?.replicas;
  if (autoscaling !== undefined) {
    const least = autoscaling.minReplicas ?? replicas;
    // An autoscaler leaves a Deployment alone that somebody scaled to 0.
    return { count: current === 0 ? least : (current ?? 1), least, kept: `*/${replicas}` };
  }
  const [count, keptFor] = live?.metadata.annotations?.[replicasKeptAnnotation]?.split('/') ?? [];
  if (keptFor !== String(replicas)) return { count: replicas, least: replicas };
  const kept = Math.max(1, (count === '*' ? current : Number(count)) || replicas);
  return { count: kept, least: kept, kept: `${kept}/${replicas}` };
}

/** The most API pods that there may be at a time, those of a rolling update included. */
export function mostReplicasOf(keystone: Keystone, live: Deployment | undefined): number {
  const { autoscaling, replicas } = keystone.spec;
  const most = Math.max(replicas, autoscaling?.maxReplicas ?? 0, autoscaling === undefined ? keptCount(live) : 0);
  const surge = strategyOf(keystone).rollingUpdate?.maxSurge ?? 0;
  return most + (typeof surge === 'number' ? surge : Math.ceil((most * Number.parseFloat(surge)) / 100));
}

function keptCount(live: Deployment | undefined): number {
  return live?.metadata.annotations?.[replicasKeptAnnotation] === undefined ? 0 : (live.spec?.replicas ?? 0);
}
