// SPDX-License-Identifier: Apache-2.0
import type { Condition } from '@forge/kube/objects/object.ts';
import type { Statement } from '../contract/rows.ts';
import type { EventNote } from '../events/event-recorder.ts';
import { now, type Duration } from '../time/duration.ts';

/** What every outcome may carry besides its text. */
interface Extras<S> {
  /** Status fields to set; a field that is undefined is taken away. */
  status?: S;
  /** What the step's further conditions say, by type; those it leaves out stay as they were. */
  conditions?: Readonly<Record<string, ConditionText>>;
  /** Sent when the condition's status, reason or message changes, before the status is saved. */
  event?: EventNote;
}

/** What a further condition says. */
export type ConditionText = Pick<Condition, 'status' | 'reason' | 'message'> & { readonly stem?: string };

/** What a step that did not run says, if it has a text for that. */
export interface SkippedText extends ConditionText {
  readonly recheck?: Duration;
}

/** A text of the step's own condition; a row of the contract says also which condition and status it is for. */
interface Text {
  readonly reason: string;
  readonly message: string;
  readonly stem?: string;
  readonly type?: string;
  readonly status?: Condition['status'];
}

interface WithText<S> extends Extras<S> {
  text: Text;
}

/** An outcome after which the steps that need this one run. */
export interface Satisfied<O, S> extends WithText<S> {
  outcome: 'ready' | 'degraded';
  output: O;
  recheck?: Duration;
}

/** An outcome after which the steps that need this one do not run. */
export type Unsatisfied<S> =
  | (WithText<S> & { outcome: 'waiting'; recheck: Duration })
  | (WithText<S> & { outcome: 'failed'; cause: unknown })
  | (WithText<S> & { outcome: 'blocked' })
  | (WithText<S> & { outcome: 'again' })
  | { outcome: 'checkpoint'; status: S };

/** How a step ended: `O` is what it hands to the steps that need it, `S` the status fields it sets. */
export type Outcome<O = unknown, S = unknown> = Satisfied<O, S> | Unsatisfied<S>;

interface SatisfiedExtras<O, S> extends Extras<S> {
  output?: O;
  recheck?: Duration;
}

/** The step's part of the world is as desired: its condition is good, the steps that need it run. */
export function ready<O = undefined, S = object>(text: Statement, extras?: SatisfiedExtras<O, S>): Satisfied<O, S>;
export function ready<O = undefined, S = object>(
  reason: string,
  message: string,
  extras?: SatisfiedExtras<O, S>,
): Satisfied<O, S>;
export function ready<O, S>(...args: SatisfiedArguments<O, S>): Satisfied<O, S> {
  return { outcome: 'ready', ...satisfied(args) };
}

/** An optional part is missing or a rollout is under way: the condition is not good, the steps that need it run all the same. */
export function degraded<O = undefined, S = object>(text: Statement, extras?: SatisfiedExtras<O, S>): Satisfied<O, S>;
export function degraded<O = undefined, S = object>(
  reason: string,
  message: string,
  extras?: SatisfiedExtras<O, S>,
): Satisfied<O, S>;
export function degraded<O, S>(...args: SatisfiedArguments<O, S>): Satisfied<O, S> {
  return { outcome: 'degraded', ...satisfied(args) };
}

/** Something outside must happen first: the condition is not good; a watch or the recheck wakes us. */
export function waiting<S = object>(text: Statement, extras?: Extras<S> & { recheck?: Duration }): Unsatisfied<S>;
export function waiting<S = object>(
  reason: string,
  message: string,
  recheck: Duration,
  extras?: Extras<S>,
): Unsatisfied<S>;
export function waiting<S>(
  ...args:
    | [text: Statement, extras?: (Extras<S> & { recheck?: Duration }) | undefined]
    | [reason: string, message: string, recheck: Duration, extras?: Extras<S> | undefined]
): Unsatisfied<S> {
  if (startsWithStatement(args)) {
    const [text, { recheck = recheckOfStatement(text), ...extras } = {}] = args;
    if (recheck === undefined) throw new Error(`${text.type} ${text.reason} waits without a recheck`);
    return { outcome: 'waiting', text, recheck, ...extras };
  }
  const [reason, message, recheck, extras] = args;
  return { outcome: 'waiting', text: { reason, message }, recheck, ...extras };
}

/** It went wrong and may go right later: the condition is not good; status is saved, then exponential backoff. */
export function failed<S = object>(text: Statement, cause?: unknown, extras?: Extras<S>): Unsatisfied<S>;
export function failed<S = object>(
  reason: string,
  message: string,
  cause?: unknown,
  extras?: Extras<S>,
): Unsatisfied<S>;
export function failed<S>(
  ...args:
    | [text: Statement, cause?: unknown, extras?: Extras<S> | undefined]
    | [reason: string, message: string, cause?: unknown, extras?: Extras<S> | undefined]
): Unsatisfied<S> {
  if (startsWithStatement(args)) {
    const [text, cause, extras] = args;
    return { outcome: 'failed', text, cause, ...extras };
  }
  const [reason, message, cause, extras] = args;
  return { outcome: 'failed', text: { reason, message }, cause, ...extras };
}

/** The user must act: the condition is not good; no retry until the object or a watched one changes. */
export function blocked<S = object>(text: Statement, extras?: Extras<S>): Unsatisfied<S>;
export function blocked<S = object>(reason: string, message: string, extras?: Extras<S>): Unsatisfied<S>;
export function blocked<S>(...args: TextArguments<S>): Unsatisfied<S> {
  return { outcome: 'blocked', ...withText(args) };
}

/** What the whole pass stands on has just changed: the condition is good; the pass ends here and starts over. */
export function again<S = object>(text: Statement, extras?: Extras<S>): Unsatisfied<S>;
export function again<S = object>(reason: string, message: string, extras?: Extras<S>): Unsatisfied<S>;
export function again<S>(...args: TextArguments<S>): Unsatisfied<S> {
  return { outcome: 'again', ...withText(args) };
}

/** Write-ahead: conditions stay, these status fields are saved, the pass ends here and starts over with them. */
export function checkpoint<S = object>(status: S): Unsatisfied<S> {
  return { outcome: 'checkpoint', status };
}

/** When the outcome wants the resource looked at again although nothing changed. */
export function recheckOf(outcome: Outcome): Duration | 'backoff' | undefined {
  switch (outcome.outcome) {
    case 'failed':
      return 'backoff';
    case 'again':
    case 'checkpoint':
      return now;
    case 'blocked':
      return undefined;
    case 'waiting':
    case 'ready':
    case 'degraded':
      return outcome.recheck;
  }
}

type SatisfiedArguments<O, S> =
  | [text: Statement, extras?: SatisfiedExtras<O, S> | undefined]
  | [reason: string, message: string, extras?: SatisfiedExtras<O, S> | undefined];

function satisfied<O, S>(args: SatisfiedArguments<O, S>): Omit<Satisfied<O, S>, 'outcome'> {
  const [text, { output, ...extras } = {}] = startsWithStatement(args) ? args : [textOf(args), args[2]];
  const recheck = recheckOfStatement(text);
  return { text, output: output as O, ...(recheck !== undefined && { recheck }), ...extras };
}

type TextArguments<S> =
  | [text: Statement, extras?: Extras<S> | undefined]
  | [reason: string, message: string, extras?: Extras<S> | undefined];

function withText<S>(args: TextArguments<S>): WithText<S> {
  const [text, extras] = startsWithStatement(args) ? args : [textOf(args), args[2]];
  return { text, ...extras };
}

function startsWithStatement<A extends readonly unknown[]>(
  args: A,
): args is Extract<A, readonly [Statement, ...unknown[]]> {
  return typeof args[0] !== 'string';
}

function textOf([reason, message]: readonly [reason: string, message: string, ...unknown[]]): Text {
  return { reason, message };
}

/** The row's own time to look again. */
function recheckOfStatement(text: Text & { readonly recheck?: Statement['recheck'] }): Duration | undefined {
  return typeof text.recheck === 'number' ? text.recheck : undefined;
}
