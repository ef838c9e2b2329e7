// SPDX-License-Identifier: Apache-2.0
import type { StatefulSetStatus } from '@forge/kube/generated/types.ts';
import type { Pod, StatefulSet } from '@forge/kube/kinds/builtin.ts';
import { isReady } from '../../objects/pod-state.ts';
import { withoutZeros } from '../../objects/without-zeros.ts';
import { revisionOf } from './identity.ts';
import { healthOf } from './next-actions.ts';
import type { Revisions } from './revisions.ts';

/** The status of a set, computed from its pods. When all are updated and ready, `current` becomes `update`. */
export function statefulSetStatus(
  set: StatefulSet,
  pods: readonly Pod[],
  { current, update }: Revisions,
  now: number,
): StatefulSetStatus {
  const remaining = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const countOf = (revision: string) => remaining.filter((pod) => revisionOf(pod) === revision).length;
  const ready = pods.filter(isReady).length;
  const updated = countOf(update.metadata.name);
  const isRolling = set.spec?.updateStrategy?.type !== 'OnDelete';
  const isComplete = isRolling && updated === pods.length && ready === pods.length;
  const { name: currentRevision } = (isComplete ? update : current).metadata;
  return {
    replicas: pods.length,
    ...withoutZeros({
      readyReplicas: ready,
      currentReplicas: countOf(currentRevision),
      updatedReplicas: updated,
      observedGeneration: set.metadata.generation ?? 0,
    }),
    availableReplicas: pods.filter(healthOf(set, now)).length,
    currentRevision,
    updateRevision: update.metadata.name,
    collisionCount: set.status?.collisionCount ?? 0,
  };
}
