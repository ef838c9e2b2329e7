// SPDX-License-Identifier: Apache-2.0
import type { Condition } from '@forge/kube/objects/object.ts';
import type { StepCondition } from '@forge/runtime/steps/step.ts';

/** What a status needs to know of a step. */
export interface StepNode {
  readonly name: string;
  readonly condition: StepCondition | undefined;
  readonly needs: Readonly<Record<string, StepNode>>;
}

/** A condition that is not as desired. */
export interface UnmetCondition {
  type: string;
  status: string;
  reason: string;
  message: string;
  /** The unmet conditions of the steps that it needs; empty when the cause is its own. */
  waitsFor: readonly string[];
}

/** The conditions of a resource that are not as desired, in the order of its steps, and what each waits for. */
export function unmetConditions(steps: readonly StepNode[], conditions: readonly Condition[]): UnmetCondition[] {
  const found = (type: string) => conditions.find((each) => each.type === type);
  const isUnmet = ({ type, desired }: StepCondition) => found(type)?.status !== desired;

  /** Through steps without a condition, to those that they need. */
  function causesOf({ needs }: StepNode): string[] {
    return Object.values(needs).flatMap((need) => {
      if (need.condition === undefined) return causesOf(need);
      return isUnmet(need.condition) ? [need.condition.type] : [];
    });
  }

  const unmet = new Map<string, UnmetCondition>();
  for (const step of steps) {
    const { condition } = step;
    if (condition === undefined || !isUnmet(condition)) continue;
    const { status = 'Unknown', reason = '', message = '' } = found(condition.type) ?? {};
    const earlier = unmet.get(condition.type)?.waitsFor ?? [];
    const waitsFor = [...new Set([...earlier, ...causesOf(step)])].filter((type) => type !== condition.type);
    unmet.set(condition.type, { type: condition.type, status, reason, message, waitsFor });
  }
  return [...unmet.values()];
}
