// SPDX-License-Identifier: Apache-2.0
import type { Condition } from '@forge/kube/object.ts';
import type { Outcome } from './outcome.ts';
import { isOutcome, type StepResult } from './run-steps.ts';

/** Who speaks for a condition. */
interface Speaker {
  readonly condition: { readonly type: string; readonly informational: boolean } | undefined;
}

/** The step that gives a condition its text in this pass. */
export interface Verdict<N> {
  type: string;
  step: N;
  outcome: Outcome;
}

/** The status an outcome gives its condition. */
export function conditionStatus({ outcome }: Outcome): 'True' | 'False' {
  return outcome === 'ready' || outcome === 'again' ? 'True' : 'False';
}

/**
 * What this pass says about each condition: the first step that is not True, in list order; when all are True, the first.
 * Nothing is said of a condition that looks True but whose steps did not all run to an end.
 */
export function verdicts<N extends Speaker>(results: ReadonlyMap<N, StepResult>): Verdict<N>[] {
  return conditionTypes([...results.keys()]).flatMap((type) => {
    const speaking = [...results].filter(([step]) => step.condition?.type === type);
    const said = speaking.flatMap(([step, result]) => (isOutcome(result) ? [{ type, step, outcome: result }] : []));
    const negative = said.find(({ outcome }) => conditionStatus(outcome) === 'False');
    const verdict = negative ?? (said.length === speaking.length ? said[0] : undefined);
    return verdict === undefined ? [] : [verdict];
  });
}

/** Whether the verdict changes what the condition says. */
export function saysSomethingNew({ type, outcome }: Verdict<unknown>, conditions: readonly Condition[]): boolean {
  const before = findCondition(conditions, type);
  return (
    before?.status !== conditionStatus(outcome) ||
    before.reason !== outcome.reason ||
    before.message !== outcome.message
  );
}

/** The conditions after this pass: those it said nothing about stay as they were; Ready sums up the counted ones. */
export function nextConditions<N extends Speaker>(input: {
  steps: readonly N[];
  before: readonly Condition[];
  verdicts: readonly Verdict<N>[];
  generation: number;
  time: string;
}): Condition[] {
  const { steps, before, generation, time } = input;

  function next(condition: Omit<Condition, 'lastTransitionTime'>): Condition {
    const last = findCondition(before, condition.type);
    return { ...condition, lastTransitionTime: last?.status === condition.status ? last.lastTransitionTime : time };
  }

  const conditions = conditionTypes(steps).flatMap((type) => {
    const verdict = input.verdicts.find((item) => item.type === type);
    if (verdict === undefined) return findCondition(before, type) ?? [];
    const { reason, message } = verdict.outcome;
    return next({ type, status: conditionStatus(verdict.outcome), reason, message, observedGeneration: generation });
  });
  const counted = conditionTypes(steps.filter(({ condition }) => condition?.informational === false)).map((type) =>
    findCondition(conditions, type),
  );
  return [...conditions, next(readyOf(counted, generation))];
}

function readyOf(
  counted: readonly (Condition | undefined)[],
  generation: number,
): Omit<Condition, 'lastTransitionTime'> {
  if (counted.every((condition) => condition?.status === 'True')) {
    return {
      type: 'Ready',
      status: 'True',
      reason: 'AllReady',
      message: 'All sub-resources are ready',
      // Ready vouches for no newer generation than the oldest word it rests on.
      observedGeneration: Math.min(generation, ...counted.map((condition) => condition?.observedGeneration ?? 0)),
    };
  }
  return {
    type: 'Ready',
    status: 'False',
    reason: 'NotAllReady',
    message: 'One or more sub-conditions are not ready',
    observedGeneration: generation,
  };
}

function findCondition(conditions: readonly Condition[], type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type);
}

function conditionTypes(steps: readonly Speaker[]): string[] {
  return [...new Set(steps.flatMap(({ condition }) => condition?.type ?? []))];
}
