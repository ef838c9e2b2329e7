// SPDX-License-Identifier: Apache-2.0
import { ApiError, isApiError } from '@forge/kube/errors/api-error.ts';
import { seconds, type Duration } from '../environment/duration.ts';

/** The resource has changed or is being deleted, and our watch has not delivered that yet. */
export class StaleCacheError extends Error {
  override readonly name = 'StaleCacheError';
}

/** Something that the pass needs is not ready yet; it is tried again with backoff. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
}

/** All errors of one pass, and when its other steps want a recheck. */
export class ReconcileError extends AggregateError {
  override readonly name = 'ReconcileError';
  readonly recheck: Duration | undefined;

  constructor(errors: readonly unknown[], recheck: Duration | undefined) {
    super(errors, errors.map((error) => (error instanceof Error ? error.message : String(error))).join('; '));
    this.recheck = recheck;
  }
}

/** Whether every cause is a conflict, a stale cache or something not ready, which is expected and not worth an error. */
export function isExpected(error: unknown): boolean {
  return causesOf(error).every(
    (cause) => isApiError(cause, 'Conflict') || cause instanceof StaleCacheError || cause instanceof NotReadyError,
  );
}

/** How long the server asks clients to wait before they retry. */
export function retryAfter(error: unknown): Duration {
  const wishes = causesOf(error).map((cause) => (cause instanceof ApiError ? cause.status.details : undefined));
  return seconds(Math.max(0, ...wishes.map((wish) => wish?.retryAfterSeconds ?? 0)));
}

/** The cause of an error; of a ReconcileError, those of all errors in it. */
export function causesOf(error: unknown): unknown[] {
  if (error instanceof ReconcileError) return error.errors.flatMap(causesOf);
  return [error instanceof Error && error.cause !== undefined ? error.cause : error];
}
