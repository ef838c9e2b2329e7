// SPDX-License-Identifier: Apache-2.0
import type { Condition } from '@forge/kube/objects/object.ts';
import type { ConditionCatalog } from '@forge/runtime/conditions/condition-catalog.ts';
import { readinessOf } from '@forge/runtime/conditions/readiness.ts';
import type { EndState } from './end-state.ts';

/**
 * The final state of an object: `gone`, `Ready`, or the conditions that keep it from being ready; an unchanged object counts
 * as Ready.
 */
export function readinessIn(endState: EndState, key: string, catalog: ConditionCatalog): string {
  const found = endState.get(key) ?? 'Ready';
  if (typeof found === 'string') return found;
  const { status } = found as { status?: { conditions?: readonly Condition[] } };
  const { unmet } = readinessOf(catalog, status?.conditions);
  return unmet.length === 0 ? 'Ready' : unmet.map(({ type, reason }) => `${type} ${reason}`).join(', ');
}
