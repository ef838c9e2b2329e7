// SPDX-License-Identifier: Apache-2.0
import type { Condition } from '@forge/kube/objects/object.ts';
import type { Statement } from '../conditions/cases.ts';
import { now, type Duration } from '../environment/duration.ts';
import type { EventNote } from '../events/event-recorder.ts';

/** Optional parts of every outcome. */
interface Extras<S> {
  /** Status fields to set; undefined removes a field. */
  status?: S;
  /** The step's further conditions, by type; those left out stay unchanged. */
  conditions?: Readonly<Record<string, ConditionText>>;
  /** Sent when the condition's status, reason or message changes, before the status is saved. */
  event?: EventNote;
}

/** The text of a further condition. */
export type ConditionText = Pick<Condition, 'status' | 'reason' | 'message'> & { readonly baseMessage?: string };

/** The condition of a step that was skipped. */
export interface SkippedText extends ConditionText {
  readonly recheck?: Duration;
}

/** The text of the step's own condition; a case of its catalog also carries its condition and status. */
interface Text {
  readonly reason: string;
  readonly message: string;
  readonly baseMessage?: string;
  readonly type?: string;
  readonly status?: Condition['status'];
  readonly counts?: Statement['counts'];
}

interface WithText<S> extends Extras<S> {
  text: Text;
}

/** An outcome after which the steps that need this one run. */
export interface Satisfied<O, S> extends Extras<S> {
  outcome: 'ready' | 'degraded';
  /** Undefined only for a step that is ready and has no condition of its own. */
  text: Text | undefined;
  output: O;
  recheck?: Duration;
}

/** An outcome after which the steps that need this one do not run. */
export type Unsatisfied<S> =
  | (WithText<S> & { outcome: 'waiting'; recheck: Duration })
  | (WithText<S> & { outcome: 'failed'; cause: unknown })
  | (WithText<S> & { outcome: 'blocked' })
  | (WithText<S> & { outcome: 'requeueNow' })
  | { outcome: 'checkpoint'; status: S; text?: Statement };

/**
 * How a step ended: `O` is its output for the steps that need it, `S` the status fields it sets.
 *
 * `reconcile_errors_total` counts steps that throw, the outcomes `failed` and `blocked`, and every outcome whose case has
 * `counts: 'error'`. The errors of a step with `condition: { type, helperOf }` count under the sub-reconciler that it helps.
 */
export type Outcome<O = unknown, S = unknown> = Satisfied<O, S> | Unsatisfied<S>;

interface SatisfiedExtras<O, S> extends Extras<S> {
  output?: O;
  recheck?: Duration;
}

/**
 * The desired state is reached: the condition is met, the steps that need this one run. A step without a condition of its own
 * needs no text; if it helps another step, the condition shows the text of that step.
 */
export function ready<O = undefined, S = object>(text: Statement, extras?: SatisfiedExtras<O, S>): Satisfied<O, S>;
export function ready<O = undefined, S = object>(
  reason: string,
  message: string,
  extras?: SatisfiedExtras<O, S>,
): Satisfied<O, S>;
export function ready<O = undefined, S = object>(extras?: SatisfiedExtras<O, S>): Satisfied<O, S>;
export function ready<O, S>(
  ...args: SatisfiedArguments<O, S> | [extras?: SatisfiedExtras<O, S> | undefined]
): Satisfied<O, S> {
  if (startsWithText(args)) return { outcome: 'ready', ...satisfied(args) };
  const [{ output, ...extras } = {}] = args;
  return { outcome: 'ready', text: undefined, output: output as O, ...extras };
}

/** An optional part is missing or a rollout is in progress: the condition is not met, the steps that need this one run. */
export function degraded<O = undefined, S = object>(text: Statement, extras?: SatisfiedExtras<O, S>): Satisfied<O, S>;
export function degraded<O = undefined, S = object>(
  reason: string,
  message: string,
  extras?: SatisfiedExtras<O, S>,
): Satisfied<O, S>;
export function degraded<O, S>(...args: SatisfiedArguments<O, S>): Satisfied<O, S> {
  return { outcome: 'degraded', ...satisfied(args) };
}

/** Something else must happen first: the condition is not met; a watch or the recheck triggers the next pass. */
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

/** It failed and may succeed later: the condition is not met; status is saved, then exponential backoff. */
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

/** The user must act: the condition is not met; no retry until the object or a watched one changes. */
export function blocked<S = object>(text: Statement, extras?: Extras<S>): Unsatisfied<S>;
export function blocked<S = object>(reason: string, message: string, extras?: Extras<S>): Unsatisfied<S>;
export function blocked<S>(...args: TextArguments<S>): Unsatisfied<S> {
  return { outcome: 'blocked', ...withText(args) };
}

/** What the whole pass depends on has just changed: the condition is met; the pass ends here and starts over. */
export function requeueNow<S = object>(text: Statement, extras?: Extras<S>): Unsatisfied<S>;
export function requeueNow<S = object>(reason: string, message: string, extras?: Extras<S>): Unsatisfied<S>;
export function requeueNow<S>(...args: TextArguments<S>): Unsatisfied<S> {
  return { outcome: 'requeueNow', ...withText(args) };
}

/**
 * Write-ahead: these status fields are saved, the pass ends here and starts over. Conditions stay unchanged, except that of the
 * step where a text is given, which saves the write of the next pass; a condition does not become met by it.
 */
export function checkpoint<S = object>(status: S, text?: Statement): Unsatisfied<S> {
  return { outcome: 'checkpoint', status, ...(text !== undefined && { text }) };
}

/** When the outcome requests another pass without a change. */
export function recheckOf(outcome: Outcome): Duration | 'backoff' | undefined {
  switch (outcome.outcome) {
    case 'failed':
      return 'backoff';
    case 'requeueNow':
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

function startsWithText<O, S>(
  args: SatisfiedArguments<O, S> | [extras?: SatisfiedExtras<O, S> | undefined],
): args is SatisfiedArguments<O, S> {
  const [first] = args;
  return typeof first === 'string' || (first !== undefined && 'reason' in first);
}

function startsWithStatement<A extends readonly unknown[]>(
  args: A,
): args is Extract<A, readonly [Statement, ...unknown[]]> {
  return typeof args[0] !== 'string';
}

function textOf([reason, message]: readonly [reason: string, message: string, ...unknown[]]): Text {
  return { reason, message };
}

/** The recheck of the case itself. */
function recheckOfStatement(text: Text & { readonly recheck?: Statement['recheck'] }): Duration | undefined {
  return typeof text.recheck === 'number' ? text.recheck : undefined;
}
