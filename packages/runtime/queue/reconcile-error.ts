// SPDX-License-Identifier: Apache-2.0
import { ApiError, isApiError } from '@forge/kube/errors/api-error.ts';
import { seconds, type Duration } from '../time/duration.ts';

/** The resource has changed, or is gone or going, which our watch of it has not told yet. */
export class StaleCacheError extends Error {
  override readonly name = 'Outdated';
}

/** All that went wrong in one pass, and when the rest of it wants to be looked at again. */
export class ReconcileError extends AggregateError {
  override readonly name = 'ReconcileError';
  readonly recheck: Duration | undefined;

  constructor(errors: readonly unknown[], recheck: Duration | undefined) {
    super(errors, errors.map((error) => (error instanceof Error ? error.message : String(error))).join('; '));
    this.recheck = recheck;
  }
}

/** Whether all that happened is that the cluster was ahead of us, which is ordinary. */
export function isExpectedConflict(error: unknown): boolean {
  return causesOf(error).every((cause) => isApiError(cause, 'Conflict') || cause instanceof StaleCacheError);
}

/** For how long the server wants to be left alone. */
export function retryAfter(error: unknown): Duration {
  const wishes = causesOf(error).map((cause) => (cause instanceof ApiError ? cause.status.details : undefined));
  return seconds(Math.max(0, ...wishes.map((wish) => wish?.retryAfterSeconds ?? 0)));
}

/** What lies behind an error, of each of its parts. */
function causesOf(error: unknown): unknown[] {
  if (error instanceof ReconcileError) return error.errors.flatMap(causesOf);
  return [error instanceof Error && error.cause !== undefined ? error.cause : error];
}
