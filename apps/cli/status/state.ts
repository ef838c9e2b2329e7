// SPDX-License-Identifier: Apache-2.0
import type { Condition } from '@forge/kube/objects/object.ts';
import type { ConditionCase } from '@forge/runtime/conditions/condition-catalog.ts';
import { desiredStatus } from '@forge/runtime/conditions/readiness.ts';

/** `waiting` is expected to resolve by itself; `failed` is broken, or needs the user. */
export type State = 'ok' | 'waiting' | 'failed';

/** The mark of a state in texts. */
export const mark = (state: State) => ({ ok: '✔', waiting: '·', failed: '✖' })[state];

/** The worst of several states. */
export function worstOf(states: readonly State[]): State {
  return (['failed', 'waiting'] as const).find((state) => states.includes(state)) ?? 'ok';
}

/** Reasons of conditions that have failed. */
const failures = /error|fail|invalid|denied|refused|stuck|stalled|unhealthy|degraded|timeout|terminating|duplicate/i;

/** The state of a condition that is not as desired, by its reason; one that is not reported yet is waiting. */
export function unmetState({ reason = '' }: Partial<Condition>): State {
  return failures.test(reason) ? 'failed' : 'waiting';
}

/** The same for a condition of our operators: it is waiting only if its operator rechecks it, or does not know yet. */
export function ownUnmetState(condition: Partial<Condition>, cases: readonly ConditionCase[]): State {
  const { type, status, reason = '' } = condition;
  const rechecked = cases.some(
    (each) =>
      each.type === type &&
      each.reason === reason &&
      (typeof each.recheck === 'number' || each.recheck === 'computed') &&
      each.status !== desiredStatus(each),
  );
  return reason === '' || status === 'Unknown' || rechecked ? unmetState(condition) : 'failed';
}
