// SPDX-License-Identifier: Apache-2.0
import type { Condition } from '@forge/kube/objects/object.ts';
import type { StepCondition } from '@forge/runtime/steps/step.ts';

/** What a status needs to know of a step. */
export interface StepNode {
  readonly name: string;
  readonly condition: StepCondition | undefined;
  readonly needs: Readonly<Record<string, StepNode>>;
}

/** A condition of a resource. */
export interface ConditionStatus {
  type: string;
  status: string;
  reason: string;
  message: string;
  /** Whether it is as desired. */
  ok: boolean;
  /** The conditions of the steps that its own steps need. */
  needs: readonly string[];
  /** Those of them that it waits for; empty when the cause is its own. */
  waitsFor: readonly string[];
}

/** The fields of conditions that are required of all kinds. */
type AnyCondition = Pick<Condition, 'type' | 'status'> & Partial<Condition>;

/** Conditions of other operators that are False when all is well. */
const undesired: ReadonlySet<string> = new Set(['Degraded', 'Progressing']);

/** The conditions of a resource without steps of ours. */
export function conditionStatuses(conditions: readonly AnyCondition[]): ConditionStatus[] {
  return conditions.map(({ type, status, reason = '', message = '' }) => ({
    type,
    status,
    reason,
    message,
    ok: status === (undesired.has(type) ? 'False' : 'True'),
    needs: [],
    waitsFor: [],
  }));
}

/** The conditions of a resource in the order of its steps, those not reported yet included, and what each waits for. */
export function stepConditions(steps: readonly StepNode[], conditions: readonly Condition[]): ConditionStatus[] {
  const found = (type: string) => conditions.find((each) => each.type === type);
  const isMet = ({ type, desired }: StepCondition) => found(type)?.status === desired;
  const statuses = new Map<string, ConditionStatus>();
  for (const step of steps) {
    const { condition } = step;
    if (condition === undefined) continue;
    const { type } = condition;
    const { status = 'Unknown', reason = '', message = '' } = found(type) ?? {};
    const ok = isMet(condition);
    const needed = neededBy(step).filter((each) => each.type !== type);
    const { needs, waitsFor } = statuses.get(type) ?? {};
    const unmet = ok ? [] : needed.filter((each) => !isMet(each));
    statuses.set(type, {
      type,
      status,
      reason,
      message,
      ok,
      needs: both(needs, needed),
      waitsFor: both(waitsFor, unmet),
    });
  }
  return [...statuses.values()];
}

function both(earlier: readonly string[] = [], more: readonly StepCondition[] = []): string[] {
  return [...new Set([...earlier, ...more.map(({ type }) => type)])];
}

/** The conditions that a step needs: through steps without a condition, those that they need. */
function neededBy({ needs }: StepNode): StepCondition[] {
  return Object.values(needs).flatMap((need) => (need.condition === undefined ? neededBy(need) : [need.condition]));
}
