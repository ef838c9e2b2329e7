// SPDX-License-Identifier: Apache-2.0
import type { DeploymentCondition, DeploymentSpec, DeploymentStatus } from '@forge/kube/generated/types.ts';
import type { Deployment } from '@forge/kube/kinds/builtin.ts';
import { timestamp, type Clock } from '@forge/runtime/environment/clock.ts';
import { milliseconds, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import { conditionOf, withCondition } from '../../objects/with-condition.ts';

/** A change made by this reconcile that the Progressing condition reports. */
export interface ProgressNote {
  status: 'True' | 'Unknown';
  reason: string;
  message: string;
}

/** The replica counts that measure progress. */
export interface ReplicaCounts {
  replicas: number;
  updatedReplicas: number;
  readyReplicas: number;
  availableReplicas: number;
}

/** The field's maximum: the rollout is never reported as stuck. */
const noDeadline = 2 ** 31 - 1;

/** The conditions with Progressing updated; `subject` names the Deployment or ReplicaSet in its message. */
export function withProgress(
  deployment: Deployment,
  spec: DeploymentSpec,
  subject: string,
  counts: ReplicaCounts,
  clock: Clock,
  note: ProgressNote | undefined,
): DeploymentCondition[] {
  const before: DeploymentStatus = deployment.status ?? {};
  const noted = withNote(before.conditions ?? [], note, clock);
  const progressing = conditionOf(noted, 'Progressing');
  const settled = progressing?.reason === 'NewReplicaSetAvailable' && counts.replicas === counts.updatedReplicas;
  if (settled || spec.paused === true || deadlineOf(spec) === noDeadline) return noted;

  const withProgressing = (status: string, reason: string, message: string, refresh = false): DeploymentCondition[] =>
    withCondition(noted, progressCondition(status, reason, message, clock), { refresh });
  if (isComplete(spec.replicas ?? 1, counts)) {
    return withProgressing('True', 'NewReplicaSetAvailable', `${subject} has successfully progressed.`);
  }
  if (hasProgressed(before, counts))
    return withProgressing('True', 'ReplicaSetUpdated', `${subject} is progressing.`, true);
  if (progressing !== undefined && untilStuck(spec, progressing, clock.now()) < 0) {
    return withProgressing('False', 'ProgressDeadlineExceeded', `${subject} has timed out progressing.`);
  }
  return noted;
}

/** Whether the rollout is complete: all pods have the current template and are available. */
export function isComplete(replicas: number, counts: Partial<ReplicaCounts>): boolean {
  const { replicas: all = 0, updatedReplicas = 0, availableReplicas = 0 } = counts;
  return updatedReplicas === replicas && all === replicas && availableReplicas === replicas;
}

/** When to check the progress deadline again; undefined when there is nothing to wait for. */
export function progressRecheck(spec: DeploymentSpec, status: DeploymentStatus, now: number): Duration | undefined {
  const progressing = conditionOf(status.conditions, 'Progressing');
  const over = progressing?.reason === 'NewReplicaSetAvailable' || progressing?.status === 'False';
  if (progressing === undefined || over || spec.paused === true || deadlineOf(spec) === noDeadline) return undefined;
  return milliseconds(untilStuck(spec, progressing, now) + seconds(1));
}

function withNote(
  conditions: DeploymentCondition[],
  note: ProgressNote | undefined,
  clock: Clock,
): DeploymentCondition[] {
  if (note === undefined) return conditions;
  return withCondition(conditions, progressCondition(note.status, note.reason, note.message, clock));
}

function hasProgressed(before: DeploymentStatus, now: ReplicaCounts): boolean {
  const oldBefore = (before.replicas ?? 0) - (before.updatedReplicas ?? 0);
  return (
    now.updatedReplicas > (before.updatedReplicas ?? 0) ||
    now.replicas - now.updatedReplicas < oldBefore ||
    now.readyReplicas > (before.readyReplicas ?? 0) ||
    now.availableReplicas > (before.availableReplicas ?? 0)
  );
}

function untilStuck(spec: DeploymentSpec, { lastUpdateTime = '' }: DeploymentCondition, now: number): number {
  return Date.parse(lastUpdateTime) + seconds(deadlineOf(spec)) - now;
}

function deadlineOf({ progressDeadlineSeconds = 600 }: DeploymentSpec): number {
  return progressDeadlineSeconds;
}

function progressCondition(status: string, reason: string, message: string, clock: Clock): DeploymentCondition {
  const time = timestamp(clock);
  return { type: 'Progressing', status, reason, message, lastUpdateTime: time, lastTransitionTime: time };
}
