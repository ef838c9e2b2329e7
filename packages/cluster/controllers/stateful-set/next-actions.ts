// SPDX-License-Identifier: Apache-2.0
import type { Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { isReady, isTerminal, untilAvailable } from '../../objects/pod-state.ts';
import { ordinalOf, revisionOf, wantedOrdinals } from './identity.ts';

/** An action on the pods of a set. */
export type Action =
  | { readonly type: 'create'; readonly ordinal: number; readonly revision: 'current' | 'update' }
  | { readonly type: 'delete'; readonly pod: Pod }
  /** Deletes a pod that has finished, so that a new one can have its name. */
  | { readonly type: 'recreate'; readonly pod: Pod };

/** What the next actions depend on, besides the set and its pods. */
interface Situation {
  readonly now: number;
  readonly currentRevision: string;
  readonly updateRevision: string;
}

/**
 * The next actions. Unless pods are managed in parallel, a pod is created when all before it are available, and deleted
 * when all after it are gone. Then one outdated pod is replaced, the highest first, when all after it are available.
 */
export function nextActions(set: StatefulSet, pods: readonly Pod[], situation: Situation): Action[] {
  if (set.metadata.deletionTimestamp !== undefined) return [];
  const isParallel = set.spec?.podManagementPolicy === 'Parallel';
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(set, pod), pod]));
  const isHealthy = healthOf(set, situation.now);
  const wanted = wantedOrdinals(set);
  const actions: Action[] = [];

  for (const ordinal of wanted) {
    const pod = byOrdinal.get(ordinal);
    const action = replicaAction(set, ordinal, pod, situation);
    if (action !== undefined) actions.push(action);
    const isDone = pod !== undefined && action === undefined && isHealthy(pod);
    if (!isDone && !isParallel) return actions;
  }

  const surplus = pods
    .filter((pod) => isSurplus(ordinalOf(set, pod), wanted))
    .toSorted((a, b) => (ordinalOf(set, b) ?? 0) - (ordinalOf(set, a) ?? 0));
  const firstUnhealthy = surplus.findLast((pod) => !isHealthy(pod));
  for (const pod of surplus) {
    const isTerminating = pod.metadata.deletionTimestamp !== undefined;
    if (!isParallel && (isTerminating || (!isHealthy(pod) && pod !== firstUnhealthy))) return actions;
    if (!isTerminating) actions.push({ type: 'delete', pod });
    if (!isParallel) return actions;
  }

  const outdated = actions.length === 0 ? nextOutdated(set, byOrdinal, situation, isHealthy) : undefined;
  return outdated === undefined ? actions : [{ type: 'delete', pod: outdated }];
}

function isSurplus(ordinal: number | undefined, wanted: readonly number[]): boolean {
  return ordinal !== undefined && !wanted.includes(ordinal);
}

/** Whether a pod is running, available and not terminating. */
export function healthOf({ spec }: StatefulSet, now: number): (pod: Pod) => boolean {
  return (pod) => {
    const wait = untilAvailable(pod, spec?.minReadySeconds ?? 0, now);
    return isReady(pod) && pod.metadata.deletionTimestamp === undefined && wait !== undefined && wait <= 0;
  };
}

function replicaAction(
  set: StatefulSet,
  ordinal: number,
  pod: Pod | undefined,
  { currentRevision, updateRevision }: Situation,
): Action | undefined {
  if (pod === undefined) {
    const isOutdated = currentRevision !== updateRevision && ordinal < firstUpdated(set);
    return { type: 'create', ordinal, revision: isOutdated ? 'current' : 'update' };
  }
  if (!isTerminal(pod) || pod.metadata.deletionTimestamp !== undefined) return undefined;
  return { type: 'recreate', pod };
}

/** The first ordinal whose new pods have the set's template. */
function firstUpdated({ spec, status }: StatefulSet): number {
  const start = spec?.ordinals?.start ?? 0;
  if (spec?.updateStrategy?.type === 'OnDelete') return start;
  const { partition = 0 } = spec?.updateStrategy?.rollingUpdate ?? {};
  return start + (partition > 0 ? partition : (status?.currentReplicas ?? 0));
}

/** The pod to replace next; undefined when none is outdated, or one after it is not available yet. */
function nextOutdated(
  set: StatefulSet,
  byOrdinal: ReadonlyMap<number | undefined, Pod>,
  { updateRevision }: Situation,
  isHealthy: (pod: Pod) => boolean,
): Pod | undefined {
  if (set.spec?.updateStrategy?.type === 'OnDelete') return undefined;
  const partition = (set.spec?.ordinals?.start ?? 0) + (set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0);
  for (const ordinal of wantedOrdinals(set).toReversed()) {
    if (ordinal < partition) return undefined;
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) return undefined;
    if (revisionOf(pod) !== updateRevision && pod.metadata.deletionTimestamp === undefined) return pod;
    if (!isHealthy(pod)) return undefined;
  }
  return undefined;
}
