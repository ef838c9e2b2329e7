// SPDX-License-Identifier: Apache-2.0
import type { Duration } from './duration.ts';

/** The resource has changed, or is gone or going, which our watch of it has not told yet. */
export class Outdated extends Error {
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
