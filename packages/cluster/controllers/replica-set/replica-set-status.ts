// SPDX-License-Identifier: Apache-2.0
import type { ReplicaSetSpec, ReplicaSetStatus } from '@forge/kube/generated/types.ts';
import type { Pod, ReplicaSet } from '@forge/kube/kinds/builtin.ts';
import { timestamp, type Clock } from '@forge/runtime/environment/clock.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import { isActive, isReady, isTerminating, untilAvailable } from '../../objects/pod-state.ts';
import { withCondition } from '../../objects/with-condition.ts';
import { withoutZeros } from '../../objects/without-zeros.ts';

/** The status of a ReplicaSet, computed from its pods; `failure` is why some could not be created or deleted. */
export function replicaSetStatus(
  set: ReplicaSet,
  spec: ReplicaSetSpec,
  pods: readonly Pod[],
  clock: Clock,
  failure?: Error,
): ReplicaSetStatus {
  const active = pods.filter(isActive);
  const labels = Object.entries(spec.template?.metadata?.labels ?? {});
  const available = active.filter((pod) => isAvailable(untilAvailable(pod, spec.minReadySeconds ?? 0, clock.now())));
  const others = set.status?.conditions?.filter(({ type }) => type !== 'ReplicaFailure') ?? [];
  const conditions =
    failure === undefined
      ? others
      : withCondition(set.status?.conditions, {
          type: 'ReplicaFailure',
          status: 'True',
          reason: active.length < (spec.replicas ?? 1) ? 'FailedCreate' : 'FailedDelete',
          message: failure.message,
          lastTransitionTime: timestamp(clock),
        });
  return {
    replicas: active.length,
    ...withoutZeros({
      fullyLabeledReplicas: active.filter(({ metadata }) =>
        labels.every(([key, value]) => metadata.labels?.[key] === value),
      ).length,
      readyReplicas: active.filter(isReady).length,
      availableReplicas: available.length,
      observedGeneration: set.metadata.generation ?? 0,
    }),
    terminatingReplicas: pods.filter(isTerminating).length,
    ...(conditions.length > 0 && { conditions }),
  };
}

function isAvailable(wait: Duration | undefined): boolean {
  return wait !== undefined && wait <= 0;
}
