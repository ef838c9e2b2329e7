// SPDX-License-Identifier: Apache-2.0
import type { HorizontalPodAutoscalerCondition } from '@forge/kube/generated/types.ts';
import type { HorizontalPodAutoscaler } from '@forge/kube/kinds/builtin.ts';
import { timestamp, type Clock } from '@forge/runtime/environment/clock.ts';
import { withCondition } from '../../objects/with-condition.ts';
import { withoutZeros } from '../../objects/without-zeros.ts';

/** The status of an autoscaler. */
export type Status = NonNullable<HorizontalPodAutoscaler['status']>;

/** A condition without its time. */
export type Condition = Omit<HorizontalPodAutoscalerCondition, 'lastTransitionTime'>;

/** The current and the desired replicas. */
export interface Replicas {
  current: number;
  desired: number;
}

/** The target's scale could be read. */
export const readable: Condition = {
  type: 'AbleToScale',
  status: 'True',
  reason: 'SucceededGetScale',
  message: "the HPA controller was able to get the target's current scale",
};

/** The conditions of a status, with these added or replaced. */
export function withConditions(
  status: Status | undefined,
  clock: Clock,
  ...conditions: Condition[]
): HorizontalPodAutoscalerCondition[] {
  const lastTransitionTime = timestamp(clock);
  return conditions.reduce(
    (list, condition) => withCondition(list, { ...condition, lastTransitionTime }),
    status?.conditions ?? [],
  );
}

/** A new status, in which no metric has a value. */
export function statusOf(
  { status }: HorizontalPodAutoscaler,
  { current, desired }: Replicas,
  conditions: HorizontalPodAutoscalerCondition[],
  metrics = 0,
): Status {
  return {
    ...(status?.lastScaleTime !== undefined && { lastScaleTime: status.lastScaleTime }),
    ...withoutZeros({ currentReplicas: current }),
    desiredReplicas: desired,
    ...(metrics > 0 && { currentMetrics: Array.from({ length: metrics }, () => ({ type: '' })) }),
    conditions,
  };
}
