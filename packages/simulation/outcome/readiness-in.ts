// SPDX-License-Identifier: Apache-2.0
import type { Condition } from '@forge/kube/objects/object.ts';
import type { EndState } from './end-state.ts';

/**
 * The final state of an object: `gone`, `Ready`, or the conditions that are not True; an unchanged object counts as
 * Ready.
 */
export function readinessIn(endState: EndState, key: string): string {
  const found = endState.get(key) ?? 'Ready';
  if (typeof found === 'string') return found;
  const { status } = found as { status?: { conditions?: readonly Condition[] } };
  const untrue = (status?.conditions ?? []).filter((condition) => condition.status !== 'True');
  return untrue.length === 0 ? 'Ready' : untrue.map(({ type, reason }) => `${type} ${reason}`).join(', ');
}
