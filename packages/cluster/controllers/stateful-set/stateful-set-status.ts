// SPDX-License-Identifier: Apache-2.0
import type { StatefulSetStatus } from '@forge/kube/generated/types.ts';
import type { Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { untilAvailable } from '../../objects/pod-state.ts';
import { withoutZeros } from '../../objects/without-zeros.ts';
import { revisionOf } from './identity.ts';
import { isRunning } from './next-actions.ts';
import type { Revisions } from './revisions.ts';

/** The status of a set, computed from its pods. When all replicas are updated and ready, `current` becomes `update`. */
export function statefulSetStatus(
  set: StatefulSet,
  pods: readonly Pod[],
  { current, update, collisions }: Revisions,
  now: number,
): StatefulSetStatus {
  const { replicas = 1, minReadySeconds = 0, updateStrategy } = set.spec ?? {};
  const remaining = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const countOf = (revision: string) => remaining.filter((pod) => revisionOf(pod) === revision).length;
  const ready = pods.filter(isRunning);
  const updated = countOf(update.metadata.name);
  const isComplete =
    updateStrategy?.type !== 'OnDelete' && [updated, ready.length, pods.length].every((count) => count === replicas);
  const { name: currentRevision } = (isComplete ? update : current).metadata;
  return {
    replicas: pods.length,
    ...withoutZeros({
      readyReplicas: ready.length,
      currentReplicas: countOf(currentRevision),
      updatedReplicas: updated,
      observedGeneration: set.metadata.generation ?? 0,
    }),
    // Terminating pods count while they are ready.
    availableReplicas: ready.filter((pod) => (untilAvailable(pod, minReadySeconds, now) ?? 1) <= 0).length,
    currentRevision,
    updateRevision: update.metadata.name,
    collisionCount: collisions,
  };
}
