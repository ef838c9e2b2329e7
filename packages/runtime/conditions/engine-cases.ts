// SPDX-License-Identifier: Apache-2.0
import { minutes } from '../environment/duration.ts';
import { defaultReady, type ConditionCase, type ReadyTexts } from './condition-catalog.ts';

/** A write that the server rejected, or that would overwrite an object of somebody else. */
export const applyRejected = {
  type: '*',
  status: 'False',
  reason: 'ApplyRejected',
  message: '{kind} {name} was refused: {error}',
  recheck: 'backoff',
} as const satisfies ConditionCase;

/** A write of a kind that is not installed. */
export const kindNotInstalled = {
  type: '*',
  status: 'False',
  reason: 'KindNotInstalled',
  message: '{kind} {name} cannot be written: {resource} is not installed in this cluster',
  unobserved: 'only operators that write kinds of others can report it',
} as const satisfies ConditionCase;

/** When a write is retried whose kind is not installed and not watched, because the step only modifies it. */
export const unwatchedKindRecheck = minutes(1);

/** Ready where it aggregates the other conditions; none where a step sets it, or the kind has none. */
export function readyConditions(ready: ReadyTexts = defaultReady): readonly ConditionCase[] {
  if (ready === 'byStep' || ready === 'none') return [];
  return [
    { type: 'Ready', status: 'True', ...ready.allReady },
    { type: 'Ready', status: 'False', ...ready.notAllReady },
  ];
}

/** What the engine may report in any condition of a resource. */
export const anyConditions: readonly ConditionCase[] = [
  applyRejected,
  kindNotInstalled,
  { ...kindNotInstalled, recheck: unwatchedKindRecheck },
];

/** The conditions that the engine sets on every resource. */
export function engineConditions(ready?: ReadyTexts): ConditionCase[] {
  return [...readyConditions(ready), ...anyConditions];
}
