// SPDX-License-Identifier: Apache-2.0
import type { Condition } from '@forge/kube/objects/object.ts';
import type { AggregatedReady, ReadyTexts } from '../conditions/condition-catalog.ts';
import { aggregate, type CountedCondition } from '../conditions/readiness.ts';
import type { ConditionText, Outcome } from '../steps/outcome.ts';
import { StepBug } from '../steps/step-bug.ts';
import { conditionsOf, type StepCondition } from '../steps/step.ts';
import { isOutcome, type StepResult } from './run-steps.ts';

/** A step as far as its conditions are concerned. */
export interface ConditionSource {
  readonly condition: StepCondition | undefined;
  readonly conditions: readonly StepCondition[];
}

/** The new state of a condition, and the step that determines it. */
export interface ConditionUpdate<N> extends ConditionText {
  readonly type: string;
  readonly step: N;
}

/** The status an outcome gives to the step's own condition. */
function conditionStatus(
  outcome: Outcome['outcome'],
  text: Partial<ConditionText> & { readonly type?: string },
  { type, desired }: StepCondition,
): Condition['status'] {
  const isMet = outcome === 'ready' || outcome === 'requeueNow';
  const status = text.status ?? (isMet === (desired === 'True') ? 'True' : 'False');
  if ((status === desired) !== isMet || (text.type !== undefined && text.type !== type)) {
    throw new StepBug(`${type}: the outcome "${outcome}" contradicts its case ${text.type ?? type}=${status}`);
  }
  return status;
}

/**
 * The new state of each condition. It is given by the first step, in list order, whose status is not the desired one; if there
 * is none, by the first step. A condition does not become met before all of its steps have ended.
 */
export function conditionUpdates<N extends ConditionSource>(results: ReadonlyMap<N, StepResult>): ConditionUpdate<N>[] {
  return allConditions([...results.keys()]).flatMap(({ type, desired }) => {
    const sources = [...results].filter(([step]) => conditionsOf(step).some((condition) => condition.type === type));
    const updates = sources.flatMap(([step, result]) => updatesFrom(type, step, result));
    const ended = sources.every(([, result]) => isOutcome(result) && result.outcome !== 'checkpoint');
    return updates.find(({ status }) => status !== desired) ?? (ended ? updates.slice(0, 1) : []);
  });
}

function updatesFrom<N extends ConditionSource>(type: string, step: N, result: StepResult): ConditionUpdate<N>[] {
  const { condition } = step;
  if (result.outcome === 'threw') return [];
  if (result.outcome === 'checkpoint')
    return result.text !== undefined && condition?.type === type ? [{ type, step, ...textOf(result.text) }] : [];
  if (result.outcome === 'skipped') {
    return result.text !== undefined && condition?.type === type ? [{ type, step, ...textOf(result.text) }] : [];
  }
  if (condition?.type === type) {
    const { outcome, text } = result;
    return text === undefined
      ? []
      : [{ type, step, ...textOf({ ...text, status: conditionStatus(outcome, text, condition) }) }];
  }
  const further = result.conditions?.[type];
  return further === undefined ? [] : [{ type, step, ...textOf(further) }];
}

function textOf({ status, reason, message, baseMessage }: ConditionText): ConditionText {
  return { status, reason, message, ...(baseMessage !== undefined && { baseMessage }) };
}

/** How much an update changes its condition; a change of the suffix alone sends no Event. */
export function changeOf(
  update: ConditionUpdate<unknown>,
  conditions: readonly Condition[],
): 'none' | 'suffix' | 'changed' {
  const before = findCondition(conditions, update.type);
  if (before?.status !== update.status || before.reason !== update.reason) return 'changed';
  if (before.message === update.message) return 'none';
  const { baseMessage } = update;
  return baseMessage !== undefined && `${before.message}: `.startsWith(`${baseMessage}: `) ? 'suffix' : 'changed';
}

/**
 * The conditions after this pass: those without an update stay unchanged, also types that are not ours; Ready aggregates
 * those that count for it, unless a step sets it or the kind has none.
 */
export function nextConditions<N extends ConditionSource>(input: {
  steps: readonly N[];
  before: readonly Condition[];
  updates: readonly ConditionUpdate<N>[];
  generation: number;
  time: string;
  ready: ReadyTexts;
}): Condition[] {
  const { steps, before, generation, time, ready } = input;

  function next(condition: Omit<Condition, 'lastTransitionTime'>): Condition {
    const last = findCondition(before, condition.type);
    return { ...condition, lastTransitionTime: last?.status === condition.status ? last.lastTransitionTime : time };
  }

  function nextOf(type: string): Condition | undefined {
    const update = input.updates.find((item) => item.type === type);
    if (update === undefined) return findCondition(before, type);
    const { status, reason, message } = update;
    return next({ type, status, reason, message, observedGeneration: generation });
  }

  const ours = allConditions(steps).filter(({ type }) => type !== 'Ready');
  const conditions = ours.map((each) => ({ ...each, condition: nextOf(each.type) }));

  function nextReady(): Condition | undefined {
    if (ready === 'none') return undefined;
    if (ready === 'byStep' || input.updates.some(({ type }) => type === 'Ready')) return nextOf('Ready');
    const counted = conditions.filter(({ countsForReady }) => countsForReady);
    return next(readyOf(counted, generation, ready));
  }

  const updated = [...conditions.map(({ condition }) => condition), nextReady()].filter((each) => each !== undefined);
  const types = new Set([...(ready === 'none' ? [] : ['Ready']), ...ours.map(({ type }) => type)]);
  return [...updated, ...before.filter(({ type }) => !types.has(type))];
}

function readyOf(
  counted: readonly CountedCondition[],
  generation: number,
  { allReady, notAllReady }: AggregatedReady,
): Omit<Condition, 'lastTransitionTime'> {
  const { status, observedGeneration } = aggregate(counted);
  if (status !== 'True') return { type: 'Ready', status: 'False', ...notAllReady, observedGeneration: generation };
  return { type: 'Ready', status, ...allReady, observedGeneration: Math.min(generation, observedGeneration) };
}

function findCondition(conditions: readonly Condition[], type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type);
}

/** The conditions that these steps set, each once, in list order. */
function allConditions(steps: readonly ConditionSource[]): StepCondition[] {
  return [...new Map(steps.flatMap(conditionsOf).map((each) => [each.type, each])).values()];
}
