// SPDX-License-Identifier: Apache-2.0
import type { PersistentVolumeClaim, Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { isReady, isTerminal, untilAvailable } from '../../objects/pod-state.ts';
import { podsPerPass } from '../ownership/create-pods.ts';
import { isStale, outdatedOwners } from './claim-owners.ts';
import { conforming, isWanted, ordinalOf, revisionOf, wantedOrdinals } from './identity.ts';
import { claimsOf } from './pod-claims.ts';

/** An action on a pod of a set or its claims. */
export type Action =
  | { readonly type: 'create'; readonly ordinal: number; readonly revision: 'current' | 'update' }
  | { readonly type: 'delete'; readonly pod: Pod }
  /** Creates missing claims of a pod that waits for them. */
  | { readonly type: 'complete'; readonly pod: Pod }
  /** Gives a pod its labels, and its claims the owners that the retention policy wants. */
  | { readonly type: 'conform'; readonly pod: Pod }
  /** Gives the claims of a pod that is scaled down the owners that the retention policy wants. */
  | { readonly type: 'condemn'; readonly pod: Pod };

/** Actions on several pods, those of each pod together. */
export type Stage = readonly (readonly Action[])[];

/** What the next actions depend on, besides the set and its pods. */
interface Situation {
  readonly now: number;
  readonly updateRevision: string;
  readonly claimOf: (wanted: PersistentVolumeClaim) => PersistentVolumeClaim | undefined;
}

/**
 * The next actions, in stages: later ones do not happen when an earlier one failed. Unless pods are managed in parallel,
 * a pod is created when all before it are available, and deleted when all after it are gone. Then one outdated pod is
 * replaced, the highest first, when all after it are available.
 */
export function nextActions(set: StatefulSet, pods: readonly Pod[], situation: Situation): Stage[] {
  if (set.metadata.deletionTimestamp !== undefined) return [];
  const isParallel = set.spec?.podManagementPolicy === 'Parallel';
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(set, pod), pod]));
  const isHealthy = healthOf(set, situation.now);

  const replicas: Action[][] = [];
  for (const ordinal of ordinalsToVisit(set, byOrdinal)) {
    const pod = byOrdinal.get(ordinal);
    const mayGoOn = isParallel || (pod !== undefined && isRunning(pod) && isHealthy(pod));
    replicas.push(replicaActions(set, ordinal, pod, mayGoOn, situation));
    if (!mayGoOn) return [replicas];
  }

  const condemned = pods
    .filter((pod) => isCondemned(set, pod))
    .toSorted((a, b) => (ordinalOf(set, b) ?? 0) - (ordinalOf(set, a) ?? 0));
  const claims = condemned.map((pod): Action[] => [{ type: 'condemn', pod }]);
  const deletions = (isParallel ? condemned : nextCondemned(condemned, isHealthy))
    .filter((pod) => pod.metadata.deletionTimestamp === undefined)
    .map((pod): Action[] => [{ type: 'delete', pod }]);
  const stages = [replicas, claims, deletions];
  if (condemned.length > 0 && !isParallel) return stages;
  const outdated = nextOutdated(set, byOrdinal, situation, isHealthy);
  return outdated === undefined ? stages : [...stages, [[{ type: 'delete', pod: outdated }]]];
}

/** The pod to scale down first, unless it or one after it must be waited for. */
function nextCondemned(condemned: readonly Pod[], isHealthy: (pod: Pod) => boolean): Pod[] {
  const [last] = condemned;
  const firstUnhealthy = condemned.findLast((pod) => !isHealthy(pod));
  return last !== undefined && ((isRunning(last) && isHealthy(last)) || last === firstUnhealthy) ? [last] : [];
}

function isCondemned(set: StatefulSet, pod: Pod): boolean {
  const ordinal = ordinalOf(set, pod);
  return ordinal !== undefined && !isWanted(set, ordinal);
}

/** The wanted ordinals that have a pod, and the first ones of those that have none, in order. */
function ordinalsToVisit(set: StatefulSet, byOrdinal: ReadonlyMap<number | undefined, Pod>): number[] {
  const { first, end } = wantedOrdinals(set);
  const existing = [...byOrdinal.keys()].filter((each) => each !== undefined && isWanted(set, each)) as number[];
  const missing: number[] = [];
  for (let ordinal = first; ordinal < end && missing.length < podsPerPass; ordinal += 1) {
    if (!byOrdinal.has(ordinal)) missing.push(ordinal);
  }
  return [...existing, ...missing].toSorted((a, b) => a - b);
}

/** Whether a pod is available and not terminating. */
function healthOf({ spec }: StatefulSet, now: number): (pod: Pod) => boolean {
  return (pod) => {
    const wait = untilAvailable(pod, spec?.minReadySeconds ?? 0, now);
    return pod.metadata.deletionTimestamp === undefined && wait !== undefined && wait <= 0;
  };
}

/** Whether a pod is running and ready. */
export function isRunning(pod: Pod): boolean {
  return pod.status?.phase === 'Running' && isReady(pod);
}

function replicaActions(
  set: StatefulSet,
  ordinal: number,
  pod: Pod | undefined,
  mayGoOn: boolean,
  situation: Situation,
): Action[] {
  if (pod === undefined) {
    if (hasStaleClaim(set, ordinal, situation)) return [];
    return [{ type: 'create', ordinal, revision: ordinal < firstUpdated(set) ? 'current' : 'update' }];
  }
  if (isTerminal(pod)) return pod.metadata.deletionTimestamp === undefined ? [{ type: 'delete', pod }] : [];
  return [
    ...(pod.status?.phase === 'Pending' ? [{ type: 'complete', pod } as const] : []),
    ...(mayGoOn && !isConforming(set, pod, situation) ? [{ type: 'conform', pod } as const] : []),
  ];
}

function hasStaleClaim(set: StatefulSet, ordinal: number, { claimOf }: Situation): boolean {
  const pod = `${set.metadata.name}-${ordinal}`;
  return claimsOf(set, ordinal).some(({ claim: wanted }) => {
    const claim = claimOf(wanted);
    return claim !== undefined && isStale(claim, set, pod);
  });
}

function isConforming(set: StatefulSet, pod: Pod, { claimOf }: Situation): boolean {
  const claims = claimsOf(set, ordinalOf(set, pod) ?? 0).map(({ claim }) => claimOf(claim));
  const isOutdated = (claim: PersistentVolumeClaim | undefined): boolean =>
    claim !== undefined && outdatedOwners(claim, { set, pod, isCondemned: false }) !== undefined;
  return conforming(set, pod) === pod && !claims.some(isOutdated);
}

/** The first ordinal whose pods are updated, and created from the set's template. */
function firstUpdated({ spec }: StatefulSet): number {
  return (spec?.ordinals?.start ?? 0) + (spec?.updateStrategy?.rollingUpdate?.partition ?? 0);
}

/** The pod to replace next; undefined when none is outdated, or one after it is not available yet. */
function nextOutdated(
  set: StatefulSet,
  byOrdinal: ReadonlyMap<number | undefined, Pod>,
  { updateRevision }: Situation,
  isHealthy: (pod: Pod) => boolean,
): Pod | undefined {
  if (set.spec?.updateStrategy?.type === 'OnDelete') return undefined;
  const { first, end } = wantedOrdinals(set);
  // Ends at the first ordinal without a pod.
  for (let ordinal = end - 1; ordinal >= Math.max(first, firstUpdated(set)); ordinal -= 1) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) return undefined;
    if (revisionOf(pod) !== updateRevision && pod.metadata.deletionTimestamp === undefined) return pod;
    if (!isHealthy(pod)) return undefined;
  }
  return undefined;
}
