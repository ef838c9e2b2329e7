// SPDX-License-Identifier: Apache-2.0
import type { Condition } from '@forge/kube/objects/object.ts';
import type { ConditionCase } from '@forge/runtime/conditions/condition-catalog.ts';
import { conditionsOf, type StepCondition } from '@forge/runtime/steps/step.ts';
import type { StepNode } from '../../../operators/operators.ts';
import { ownUnmetState, unmetState, type State } from './state.ts';

/** A condition of a resource. */
export interface ConditionStatus {
  type: string;
  status: string;
  reason: string;
  message: string;
  /** `ok` when it is as desired. */
  state: State;
  /** Whether readiness does not depend on it. */
  informational: boolean;
  /** The conditions of the steps that its own steps need. */
  needs: readonly string[];
  /** Those of them that it waits for; empty when it has its own cause. */
  waitsFor: readonly string[];
}

/** The fields of conditions that are required of all kinds. */
type AnyCondition = Pick<Condition, 'type' | 'status'> & Partial<Condition>;

/** Conditions of other operators that should be False. */
const undesired: ReadonlySet<string> = new Set(['Degraded', 'Progressing']);

/** The conditions of a resource of another operator. */
export function conditionStatuses(conditions: readonly AnyCondition[]): ConditionStatus[] {
  return conditions.map((condition) => {
    const { type, status, reason = '', message = '' } = condition;
    const isMet = status === (undesired.has(type) ? 'False' : 'True');
    // Progressing means waiting.
    const state = isMet ? 'ok' : type === 'Progressing' ? 'waiting' : unmetState(condition);
    return { type, status, reason, message, state, informational: false, needs: [], waitsFor: [] };
  });
}

/** The conditions of a resource in the order of its steps, including unreported ones, and what each waits for. */
export function stepConditions(
  steps: readonly StepNode[],
  conditions: readonly Condition[],
  cases: readonly ConditionCase[],
): ConditionStatus[] {
  const found = (type: string) => conditions.find((each) => each.type === type);
  const isMet = ({ type, desired }: StepCondition) => found(type)?.status === desired;
  const statuses = new Map<string, ConditionStatus>();
  const declared = steps.flatMap((step) => conditionsOf(step).map((condition) => ({ step, condition })));
  for (const { step, condition } of declared) {
    const { type } = condition;
    const { status = 'Unknown', reason = '', message = '' } = found(type) ?? {};
    const isOk = isMet(condition) || isReminder(condition, cases);
    const needed = neededBy(step).filter((each) => each.type !== type);
    const { needs, waitsFor } = statuses.get(type) ?? {};
    const unmet = both(waitsFor, isOk ? [] : needed.filter((each) => !isMet(each)));
    const own = unmet.length > 0 ? 'waiting' : ownUnmetState({ type, status, reason }, cases);
    statuses.set(type, {
      type,
      status,
      reason,
      message,
      state: isOk ? 'ok' : own,
      informational: !condition.countsForReady,
      needs: both(needs, needed),
      waitsFor: unmet,
    });
  }
  return [...statuses.values()];
}

/** Whether a condition only reminds of something: nothing can make it as desired, and nothing depends on it. */
function isReminder({ type, desired, countsForReady }: StepCondition, cases: readonly ConditionCase[]): boolean {
  const own = cases.filter((each) => each.type === type);
  return !countsForReady && own.length > 0 && own.every(({ status }) => status !== desired);
}

function both(earlier: readonly string[] = [], more: readonly StepCondition[] = []): string[] {
  return [...new Set([...earlier, ...more.map(({ type }) => type)])];
}

/** The conditions that a step needs; for needed steps without a condition, those that they need. */
function neededBy({ needs }: StepNode): StepCondition[] {
  return Object.values(needs).flatMap((need) => (need.condition === undefined ? neededBy(need) : [need.condition]));
}
