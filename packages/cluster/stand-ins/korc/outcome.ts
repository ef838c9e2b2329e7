// SPDX-License-Identifier: Apache-2.0
import type { Condition } from '@forge/kube/objects/object.ts';
import { timestamp, type Clock } from '@forge/runtime/environment/clock.ts';
import type { Duration } from '@forge/runtime/environment/duration.ts';
import { conditionOf, withCondition } from '../../objects/with-condition.ts';
import { IdentityError, messageOf } from './identity.ts';
import type { KorcObject } from './korc-object.ts';

/** Thrown when a reconcile has to wait for an event, or for `recheck`. */
export class Waiting extends Error {
  override readonly name = 'Waiting';
  readonly recheck: Duration | undefined;

  constructor(messages: readonly string[], recheck?: Duration) {
    super(messages.join('\n'));
    this.recheck = recheck;
  }
}

type TerminalReason = 'InvalidConfiguration' | 'UnrecoverableError';

/** Thrown for a failure that is not retried before the spec changes. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';
  readonly reason: TerminalReason;

  constructor(reason: TerminalReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** The error of a failed create or update: a conflict, a missing feature and no response at all are terminal. */
export function writeError(verb: 'creating' | 'updating', error: unknown): unknown {
  if (error instanceof IdentityError && error.status !== 409 && error.status !== 501) return error;
  const message = `invalid configuration ${verb} resource: ${messageOf(error)}`;
  return new TerminalError('InvalidConfiguration', message, error);
}

/** The result of a reconcile: success, or the error that it threw. */
interface Outcome {
  error?: unknown;
  /** Whether the resource was fetched from OpenStack. */
  isKnown: boolean;
  id: string | undefined;
}

/** Both conditions after a reconcile, with the generation that it observed. */
export function conditionsAfter({ metadata, status }: KorcObject, outcome: Outcome, clock: Clock): Condition[] {
  const facts = { lastTransitionTime: timestamp(clock), observedGeneration: metadata.generation ?? 0 };
  const progressing = { type: 'Progressing', ...progressingAfter(outcome), ...facts };
  const available = { type: 'Available', ...availableAfter(outcome, progressing), ...facts };
  return [available, progressing].reduce<Condition[]>(
    (conditions, condition) => withCondition(conditions, condition, { refresh: true }),
    status?.conditions ?? [],
  );
}

type Verdict = Pick<Condition, 'status' | 'reason' | 'message'>;

function progressingAfter({ error }: Outcome): Verdict {
  if (error === undefined) return { status: 'False', reason: 'Success', message: 'OpenStack resource is up to date' };
  const message = messageOf(error);
  if (error instanceof TerminalError) return { status: 'False', reason: error.reason, message };
  return { status: 'True', reason: error instanceof Waiting ? 'Progressing' : 'TransientError', message };
}

function availableAfter({ error, isKnown, id }: Outcome, { reason, message }: Verdict): Verdict {
  if (error instanceof TerminalError) return { status: 'False', reason, message };
  if (isKnown) return { status: 'True', reason: 'Success', message: 'OpenStack resource is available' };
  return { status: id === undefined ? 'False' : 'Unknown', reason, message };
}

/** Whether this generation is done: the resource is up to date, or the failure is terminal. */
export function isSettled({ metadata, status }: KorcObject): boolean {
  const progressing = conditionOf(status?.conditions, 'Progressing');
  return progressing?.status === 'False' && progressing.observedGeneration === metadata.generation;
}
