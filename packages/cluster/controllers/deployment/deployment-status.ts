// SPDX-License-Identifier: Apache-2.0
import type {
  DeploymentCondition,
  DeploymentSpec,
  DeploymentStatus,
  ReplicaSetStatus,
} from '@forge/kube/generated/types.ts';
import type { Deployment, ReplicaSet } from '@forge/kube/kinds/builtin.ts';
import { timestamp, type Clock } from '@forge/runtime/environment/clock.ts';
import { conditionOf, withCondition } from '../../objects/with-condition.ts';
import { withoutZeros } from '../../objects/without-zeros.ts';
import { withProgress, type ProgressNote } from './deployment-progress.ts';
import { rolloutBounds } from './rolling-update.ts';
import { totalReplicas, type DeploymentSets } from './rollout.ts';

/** The status of a Deployment, computed from its ReplicaSets. */
export function deploymentStatus(
  deployment: Deployment,
  spec: DeploymentSpec,
  { all, current }: DeploymentSets,
  clock: Clock,
  note?: ProgressNote,
): DeploymentStatus {
  const counts = {
    replicas: sum(all, ({ replicas }) => replicas),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: sum(all, ({ readyReplicas }) => readyReplicas),
    availableReplicas: sum(all, ({ availableReplicas }) => availableReplicas),
  };
  const subject =
    current === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${current.metadata.name}"`;
  const { replicas, maxUnavailable } = rolloutBounds(spec);
  const available = counts.availableReplicas >= replicas - maxUnavailable;
  const progress = withProgress(deployment, spec, subject, counts, clock, note);
  const conditions = withFailure(withCondition(progress, availability(available, clock)), all, clock);
  const { collisionCount } = deployment.status ?? {};
  return {
    ...withoutZeros({
      observedGeneration: deployment.metadata.generation ?? 0,
      ...counts,
      unavailableReplicas: Math.max(0, totalReplicas(all) - counts.availableReplicas),
    }),
    terminatingReplicas: sum(all, ({ terminatingReplicas }) => terminatingReplicas),
    ...(collisionCount !== undefined && { collisionCount }),
    conditions,
  };
}

function availability(available: boolean, clock: Clock): DeploymentCondition {
  const time = timestamp(clock);
  return {
    type: 'Available',
    status: available ? 'True' : 'False',
    reason: available ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
    message: available ? 'Deployment has minimum availability.' : 'Deployment does not have minimum availability.',
    lastUpdateTime: time,
    lastTransitionTime: time,
  };
}

/** Copies a ReplicaFailure condition from a ReplicaSet to its Deployment. */
function withFailure(
  conditions: DeploymentCondition[],
  sets: readonly ReplicaSet[],
  clock: Clock,
): DeploymentCondition[] {
  const failure = sets.map(({ status }) => conditionOf(status?.conditions, 'ReplicaFailure')).find(Boolean);
  if (failure === undefined) return conditions.filter(({ type }) => type !== 'ReplicaFailure');
  return withCondition(conditions, { ...failure, lastUpdateTime: timestamp(clock) });
}

function sum(sets: readonly ReplicaSet[], count: (status: ReplicaSetStatus) => number | undefined): number {
  return sets.reduce((total, { status }) => total + (status === undefined ? 0 : (count(status) ?? 0)), 0);
}
