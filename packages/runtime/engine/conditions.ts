// SPDX-License-Identifier: Apache-2.0
import type { Condition } from '@forge/kube/objects/object.ts';
import type { ReadyTexts } from '../contract/contract.ts';
import type { ConditionText, Outcome } from '../steps/outcome.ts';
import { StepBug } from '../steps/step-bug.ts';
import { conditionsOf, type StepCondition } from '../steps/step.ts';
import { isOutcome, type StepResult } from './run-steps.ts';

/** Who speaks for conditions. */
export interface ConditionSource {
  readonly condition: StepCondition | undefined;
  readonly conditions: readonly StepCondition[];
}

/** What a pass says about a condition, and the step that gives it its text. */
export interface ConditionUpdate<N> extends ConditionText {
  readonly type: string;
  readonly step: N;
}

/** The status an outcome gives to the step's own condition. */
function conditionStatus(
  { outcome, text }: Exclude<Outcome, { outcome: 'checkpoint' }>,
  { type, desired: good }: StepCondition,
): Condition['status'] {
  const isGood = outcome === 'ready' || outcome === 'again';
  const status = text.status ?? (isGood === (good === 'True') ? 'True' : 'False');
  if ((status === good) !== isGood || (text.type !== undefined && text.type !== type)) {
    throw new StepBug(`${type}: "${outcome}" cannot be said by a row of ${text.type ?? type} ${status}`);
  }
  return status;
}

/**
 * What this pass says about each condition: the first step, in list order, whose status is not the desired one; when all
 * have the desired one, the first. Nothing is said of a condition that looks good but whose steps did not all run to an end.
 */
export function conditionUpdates<N extends ConditionSource>(results: ReadonlyMap<N, StepResult>): ConditionUpdate<N>[] {
  return allConditions([...results.keys()]).flatMap(({ type, desired: good }) => {
    const speakers = [...results].filter(([step]) => conditionsOf(step).some((spoken) => spoken.type === type));
    const said = speakers.flatMap(([step, result]) => updatesFrom(type, step, result));
    const ended = speakers.every(([, result]) => isOutcome(result) && result.outcome !== 'checkpoint');
    return said.find(({ status }) => status !== good) ?? (ended ? said.slice(0, 1) : []);
  });
}

function updatesFrom<N extends ConditionSource>(type: string, step: N, result: StepResult): ConditionUpdate<N>[] {
  const { condition } = step;
  if (result.outcome === 'threw' || result.outcome === 'checkpoint') return [];
  if (result.outcome === 'skipped') {
    return result.text !== undefined && condition?.type === type ? [{ type, step, ...textOf(result.text) }] : [];
  }
  if (condition?.type === type) {
    return [{ type, step, ...textOf({ ...result.text, status: conditionStatus(result, condition) }) }];
  }
  const further = result.conditions?.[type];
  return further === undefined ? [] : [{ type, step, ...textOf(further) }];
}

function textOf({ status, reason, message, stem }: ConditionText): ConditionText {
  return { status, reason, message, ...(stem !== undefined && { stem }) };
}

/** How much a verdict changes what its condition says; a change of the suffix alone is not worth an Event. */
export function changeOf(
  verdict: ConditionUpdate<unknown>,
  conditions: readonly Condition[],
): 'none' | 'suffix' | 'changed' {
  const before = findCondition(conditions, verdict.type);
  if (before?.status !== verdict.status || before.reason !== verdict.reason) return 'changed';
  if (before.message === verdict.message) return 'none';
  const { stem } = verdict;
  return stem !== undefined && `${before.message}: `.startsWith(`${stem}: `) ? 'suffix' : 'changed';
}

/**
 * The conditions after this pass: those it said nothing about stay as they were, types that are not ours included; Ready
 * sums up the counted ones, unless a step speaks for it.
 */
export function nextConditions<N extends ConditionSource>(input: {
  steps: readonly N[];
  before: readonly Condition[];
  verdicts: readonly ConditionUpdate<N>[];
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
    const verdict = input.verdicts.find((item) => item.type === type);
    if (verdict === undefined) return findCondition(before, type);
    const { status, reason, message } = verdict;
    return next({ type, status, reason, message, observedGeneration: generation });
  }

  const spoken = allConditions(steps).filter(({ type }) => type !== 'Ready');
  const conditions = spoken.map((each) => ({ ...each, next: nextOf(each.type) }));
  const counted = conditions.filter((each) => each.countsForReady);
  const isSpoken = ready === 'byStep' || input.verdicts.some(({ type }) => type === 'Ready');
  const overall = isSpoken ? nextOf('Ready') : next(readyOf(counted, generation, ready));
  const ours = [...conditions.map((each) => each.next), overall].filter((each) => each !== undefined);
  const types = new Set(['Ready', ...spoken.map(({ type }) => type)]);
  return [...ours, ...before.filter(({ type }) => !types.has(type))];
}

function readyOf(
  counted: readonly { readonly desired: string; readonly next: Condition | undefined }[],
  generation: number,
  { allReady, notAllReady }: Exclude<ReadyTexts, 'byStep'>,
): Omit<Condition, 'lastTransitionTime'> {
  if (!counted.every(({ desired, next }) => next?.status === desired)) {
    return { type: 'Ready', status: 'False', ...notAllReady, observedGeneration: generation };
  }
  // Ready vouches for no newer generation than the oldest statement it rests on.
  const oldest = Math.min(generation, ...counted.map(({ next }) => next?.observedGeneration ?? 0));
  return { type: 'Ready', status: 'True', ...allReady, observedGeneration: oldest };
}

function findCondition(conditions: readonly Condition[], type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type);
}

/** The conditions these steps speak for, each once, in list order. */
function allConditions(steps: readonly ConditionSource[]): StepCondition[] {
  return [...new Map(steps.flatMap(conditionsOf).map((spoken) => [spoken.type, spoken])).values()];
}
