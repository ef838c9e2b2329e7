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

/** The conditions that the engine sets on every resource. */
export function engineConditions(ready: ReadyTexts = defaultReady): ConditionRow[] {
  const aggregated: ConditionRow[] =
    ready === 'byStep'
      ? []
      : [
          { type: 'Ready', status: 'True', ...ready.allReady },
          { type: 'Ready', status: 'False', ...ready.notAllReady },
        ];
  return [...aggregated, applyRejected, kindNotInstalled, { ...kindNotInstalled, recheck: unwatchedKindRecheck }];
}
