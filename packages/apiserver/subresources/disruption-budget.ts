// SPDX-License-Identifier: Apache-2.0
import type { ApiError, Status } from '@forge/kube/errors/api-error.ts';
import { PodDisruptionBudget, type Pod } from '@forge/kube/kinds/builtin.ts';
import type { Condition } from '@forge/kube/objects/object.ts';
import { trackUpdate } from '@forge/kube/patch/track-update.ts';
import { matchesLabelSelector } from '@forge/kube/selectors/selector.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import { errorWithoutReason, statusError } from '../messages/status-errors.ts';
import type { CoreContext } from '../resources/core-context.ts';
import type { StoredObject } from '../storage/stored-object.ts';

type BudgetStatus = NonNullable<PodDisruptionBudget['status']>;

/** The PodDisruptionBudget of a pod; undefined when there is none; throws when there are several. */
export function budgetOf({ store }: CoreContext, { metadata }: Pod): StoredObject | undefined {
  const prefix = `poddisruptionbudgets.policy/${metadata.namespace}/`;
  const [found, ...more] = [...store.current.objects.withPrefix(prefix)].filter(({ value }) =>
    matchesLabelSelector((value as PodDisruptionBudget).spec?.selector, metadata.labels),
  );
  if (more.length === 0) return found;
  throw errorWithoutReason(
    'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
  );
}

/** Whether an unready pod can be evicted without counting as a disruption. */
export function allowsUnreadyEviction({ spec, status }: PodDisruptionBudget): boolean {
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

/** Counts an eviction against the budget; throws when the budget does not allow it. */
export function countDisruption(
  { store, clock }: CoreContext,
  stored: StoredObject,
  pod: string,
  dryRun: boolean,
): void {
  const before = stored.value as PodDisruptionBudget;
  const { name, generation = 0 } = before.metadata;
  const { status = {} } = before;
  const { observedGeneration = 0, disruptionsAllowed: allowed = 0 } = status;
  if (observedGeneration < generation) {
    throw budgetExceeded(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  if (allowed === 0) throw budgetExceeded(exhaustedReason(name, status));
  if (dryRun) return;
  const time = timestamp(clock);
  const disruptionsAllowed = allowed - 1;
  const after: PodDisruptionBudget = {
    ...before,
    status: {
      ...status,
      disruptionsAllowed,
      disruptedPods: { ...status.disruptedPods, [pod]: time },
      ...(disruptionsAllowed === 0 && { conditions: exhaustedConditions(status, time) }),
    },
  };
  const writer = { manager: 'kube-apiserver', subresource: 'status', time };
  store.commit(stored.key, stored, trackUpdate({ before, after, schema: PodDisruptionBudget.schema, ...writer }));
}

/** 429: the budget does not allow the eviction. */
function budgetExceeded(why: string, retryAfterSeconds?: number): ApiError {
  const details: NonNullable<Status['details']> = {
    causes: [{ reason: 'DisruptionBudget', message: why }],
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
  const message = "Cannot evict pod as it would violate the pod's disruption budget.";
  return statusError(429, 'TooManyRequests', message, details);
}

function exhaustedReason(
  name: string,
  { currentHealthy = 0, desiredHealthy = 0, conditions = [] }: BudgetStatus,
): string {
  const allowed = conditions.find(({ type }) => type === 'DisruptionAllowed');
  const { status, reason, message = '' }: Partial<Condition> = allowed ?? {};
  const isExplained = status === 'False' && message !== '';
  const budget = `The disruption budget ${name}`;
  if (isExplained && reason === 'SyncFailed') {
    return `${budget} does not allow evicting pods currently because it failed sync: ${message}`;
  }
  if (currentHealthy <= desiredHealthy) {
    return `${budget} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  }
  return `${budget} does not allow evicting pods currently${isExplained ? ` (${reason}): ${message}` : ''}`;
}

function exhaustedConditions({ conditions = [], observedGeneration }: BudgetStatus, time: string): Condition[] {
  const type = 'DisruptionAllowed';
  const before = conditions.find((each) => each.type === type);
  const condition: Condition = {
    type,
    status: 'False',
    ...(observedGeneration !== undefined && { observedGeneration }),
    lastTransitionTime: before?.status === 'False' ? before.lastTransitionTime : time,
    reason: 'InsufficientPods',
    message: '',
  };
  return [...conditions.filter((each) => each !== before), condition];
}
