// SPDX-License-Identifier: Apache-2.0
import type { Pod, PodDisruptionBudget } from '@forge/kube/kinds/builtin.ts';
import type { Condition } from '@forge/kube/objects/object.ts';
import { milliseconds, minutes, type Duration } from '@forge/runtime/environment/duration.ts';
import { isReady } from '../../objects/pod-state.ts';
import { conditionOf } from '../../objects/with-condition.ts';
import type { Expectation } from './expected-pods.ts';

type Status = NonNullable<PodDisruptionBudget['status']>;

/** An evicted pod that is not deleted within this time counts as healthy again. */
const deletionTimeout = minutes(2);

/** The status of a budget, when it must be computed again, and the evicted pods that were not deleted. */
interface BudgetStatus {
  status: Status;
  recheck?: Duration;
  notDeleted: Pod[];
}

/** Computes the status from the budget's pods. */
export function budgetStatus(
  { metadata, status: before }: PodDisruptionBudget,
  pods: readonly Pod[],
  { expectedPods, desiredHealthy }: Omit<Expectation, 'hasUnmanaged'>,
  now: number,
): BudgetStatus {
  const running = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined);
  const listed = running.flatMap((pod) => {
    const time = before?.disruptedPods?.[pod.metadata.name];
    return time === undefined ? [] : [{ pod, time, left: Date.parse(time) + deletionTimeout - now }];
  });
  const disrupted = listed.filter(({ left }) => left >= 0);
  const evicted = new Set(disrupted.filter(({ left }) => left > 0).map(({ pod }) => pod));
  const currentHealthy = running.filter((pod) => isReady(pod) && !evicted.has(pod)).length;
  const disruptionsAllowed = expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0;
  const observedGeneration = metadata.generation ?? 0;
  const disruptedPods = Object.fromEntries(disrupted.map(({ pod, time }) => [pod.metadata.name, time]));
  const isAllowed = disruptionsAllowed > 0;
  return {
    status: {
      observedGeneration,
      disruptionsAllowed,
      currentHealthy,
      desiredHealthy,
      expectedPods,
      ...(disrupted.length > 0 && { disruptedPods }),
      conditions: withAllowed(before, now, {
        status: isAllowed ? 'True' : 'False',
        reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
        message: '',
        observedGeneration,
      }),
    },
    notDeleted: listed.filter(({ left }) => left < 0).map(({ pod }) => pod),
    ...(disrupted.length > 0 && { recheck: milliseconds(Math.min(...disrupted.map(({ left }) => left)) + 1) }),
  };
}

/** The status of a budget that cannot be computed: it allows no disruptions and has a condition with the reason. */
export function failedStatus({ status: before = {} }: PodDisruptionBudget, message: string, now: number): Status {
  const { observedGeneration = 0 } = before;
  const failed = { status: 'False', reason: 'SyncFailed', message, observedGeneration } as const;
  const counts = { currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  return { ...counts, ...before, disruptionsAllowed: 0, conditions: withAllowed(before, now, failed) };
}

function withAllowed(
  status: Status | undefined,
  now: number,
  { observedGeneration, ...condition }: Omit<Condition, 'type' | 'lastTransitionTime'>,
): Condition[] {
  const type = 'DisruptionAllowed';
  const before = conditionOf(status?.conditions, type);
  const time = new Date(now).toISOString().replace(/\.\d+Z/, 'Z');
  const after: Condition = {
    type,
    ...condition,
    ...(observedGeneration !== undefined && observedGeneration !== 0 && { observedGeneration }),
    lastTransitionTime: before?.status === condition.status ? before.lastTransitionTime : time,
  };
  const others = (status?.conditions ?? []).map((each) => (each === before ? after : each));
  return before === undefined ? [...others, after] : others;
}
