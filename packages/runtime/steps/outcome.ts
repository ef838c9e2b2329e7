// SPDX-License-Identifier: Apache-2.0
import { now, type Duration } from '../duration.ts';
import type { EventNote } from '../event-recorder.ts';

/** What every outcome may carry besides its text. */
interface Extras<S> {
  /** Status fields to set; a field that is undefined is taken away. */
  status?: S;
  /** Sent when the condition's status, reason or message changes, before the status is saved. */
  event?: EventNote;
}

interface Said<S> extends Extras<S> {
  reason: string;
  message: string;
}

/** An outcome after which the steps that need this one run. */
export interface Satisfied<O, S> extends Said<S> {
  outcome: 'ready' | 'degraded';
  output: O;
  recheck?: Duration;
}

/** An outcome after which the steps that need this one do not run. */
export type Unsatisfied<S> =
  | (Said<S> & { outcome: 'waiting'; recheck: Duration })
  | (Said<S> & { outcome: 'failed'; cause: unknown })
  | (Said<S> & { outcome: 'blocked' })
  | (Said<S> & { outcome: 'again' });

/** How a step ended: `O` is what it hands to the steps that need it, `S` the status fields it sets. */
export type Outcome<O = unknown, S = unknown> = Satisfied<O, S> | Unsatisfied<S>;

interface SatisfiedExtras<O, S> extends Extras<S> {
  output?: O;
  recheck?: Duration;
}

/** The step's part of the world is as desired: its condition is True, the steps that need it run. */
export function ready<O = undefined, S = object>(
  reason: string,
  message: string,
  { output, ...extras }: SatisfiedExtras<O, S> = {},
): Satisfied<O, S> {
  return { outcome: 'ready', reason, message, output: output as O, ...extras };
}

/** An optional part is missing or a rollout is under way: the condition is False, the steps that need it run all the same. */
export function degraded<O = undefined, S = object>(
  reason: string,
  message: string,
  { output, ...extras }: SatisfiedExtras<O, S> = {},
): Satisfied<O, S> {
  return { outcome: 'degraded', reason, message, output: output as O, ...extras };
}

/** Something outside must happen first: the condition is False; a watch or the recheck wakes us. */
export function waiting<S = object>(
  reason: string,
  message: string,
  recheck: Duration,
  extras: Extras<S> = {},
): Unsatisfied<S> {
  return { outcome: 'waiting', reason, message, recheck, ...extras };
}

/** It went wrong and may go right later: the condition is False; status is saved, then exponential backoff. */
export function failed<S = object>(
  reason: string,
  message: string,
  cause?: unknown,
  extras: Extras<S> = {},
): Unsatisfied<S> {
  return { outcome: 'failed', reason, message, cause, ...extras };
}

/** The user must act: the condition is False; no retry until the object or a watched one changes. */
export function blocked<S = object>(reason: string, message: string, extras: Extras<S> = {}): Unsatisfied<S> {
  return { outcome: 'blocked', reason, message, ...extras };
}

/** What the whole pass stands on has just changed: the condition is True; the pass ends here and starts over. */
export function again<S = object>(reason: string, message: string, extras: Extras<S> = {}): Unsatisfied<S> {
  return { outcome: 'again', reason, message, ...extras };
}

/** When the outcome wants the resource looked at again although nothing changed. */
export function recheckOf(outcome: Outcome): Duration | 'backoff' | undefined {
  switch (outcome.outcome) {
    case 'failed':
      return 'backoff';
    case 'again':
      return now;
    case 'blocked':
      return undefined;
    case 'waiting':
    case 'ready':
    case 'degraded':
      return outcome.recheck;
  }
}
