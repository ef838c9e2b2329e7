// SPDX-License-Identifier: Apache-2.0
import type { Statement } from '../conditions/cases.ts';
import { isFault } from './fault.ts';
import { failed, type Unsatisfied } from './outcome.ts';

/** A step's failure with a case of its catalog, thrown from where it happened. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure';
  readonly outcome: Unsatisfied<never>;

  constructor(statement: Statement, cause: unknown) {
    super(statement.message, { cause });
    this.outcome = failed(statement, cause);
  }
}

/**
 * Runs `work`; when it is rejected or its input is invalid, the step fails with the statement made from the error's text.
 * Faults (conflicts, network, server errors, bugs) are rethrown unchanged: they are not about the resource.
 */
export async function failOnError<R>(statement: (error: string) => Statement, work: () => R | Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (isFault(error) || error instanceof StepFailure) throw error;
    throw new StepFailure(statement(error instanceof Error ? error.message : String(error)), error);
  }
}
