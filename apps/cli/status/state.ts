// SPDX-License-Identifier: Apache-2.0
import type { Condition } from '@forge/kube/objects/object.ts';
import type { ConditionRow } from '@forge/runtime/contract/contract.ts';

/** `waiting` is on its way by itself; `failed` is broken, or somebody must act. */
export type State = 'ok' | 'waiting' | 'failed';

/** The mark of a state in texts. */
export const mark = (state: State) => ({ ok: '✔', waiting: '·', failed: '✖' })[state];

/** The worst of several states. */
export function worstOf(states: readonly State[]): State {
  return (['failed', 'waiting'] as const).find((state) => states.includes(state)) ?? 'ok';
}

/** Reasons of conditions that do not merely wait. */
const failures = /error|fail|invalid|denied|refused|stuck|stalled|unhealthy|degraded|timeout|terminating|duplicate/i;

/** The state of a condition that is not as desired, by its reason; one that is not reported yet waits. */
export function unmetState({ reason = '' }: Partial<Condition>): State {
  return failures.test(reason) ? 'failed' : 'waiting';
}

/** The same for a condition of ours: it waits only where its operator says when it will look again. */
export function ownUnmetState(condition: Partial<Condition>, rows: readonly ConditionRow[]): State {
  const { type, reason = '' } = condition;
  const rechecked = rows.some(
    (row) => row.type === type && row.reason === reason && typeof row.recheck === 'number' && row.status !== 'True',
  );
  return reason === '' || rechecked ? unmetState(condition) : 'failed';
}
