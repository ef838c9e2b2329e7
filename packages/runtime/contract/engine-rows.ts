// SPDX-License-Identifier: Apache-2.0
import { minutes } from '../time/duration.ts';
import { defaultReady, type ConditionRow, type ReadyTexts } from './contract.ts';

/** A write that the server rejected, or that would overwrite an object of somebody else. */
export const applyRejected = {
  type: '*',
  status: 'False',
  reason: 'ApplyRejected',
  message: '{kind} {name} was refused: {error}',
  recheck: 'backoff',
} as const satisfies ConditionRow;

/** A write of a kind that is not installed. */
export const kindNotInstalled = {
  type: '*',
  status: 'False',
  reason: 'KindNotInstalled',
  message: '{kind} {name} cannot be written: {resource} is not installed in this cluster',
  unobserved: 'only operators that write kinds of others can report it',
} as const satisfies ConditionRow;

/** When a write of a kind is retried that is neither installed nor watched: a step only touches it. */
export const unwatchedKindRecheck = minutes(1);

/** Ready where it aggregates the other conditions; none where a step sets it. */
export function readyConditions(ready: ReadyTexts = defaultReady): readonly ConditionRow[] {
  if (ready === 'byStep') return [];
  return [
    { type: 'Ready', status: 'True', ...ready.allReady },
    { type: 'Ready', status: 'False', ...ready.notAllReady },
  ];
}

/** The conditions that the engine sets on every resource. */
export function engineConditions(ready?: ReadyTexts): ConditionRow[] {
  const unwatchedKind = { ...kindNotInstalled, recheck: unwatchedKindRecheck };
  return [...readyConditions(ready), applyRejected, kindNotInstalled, unwatchedKind];
}
