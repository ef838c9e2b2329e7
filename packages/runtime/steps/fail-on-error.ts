// SPDX-License-Identifier: Apache-2.0
import type { Statement } from '../contract/rows.ts';
import { isFault } from './fault.ts';
import { failed, type Unsatisfied } from './outcome.ts';

/** A step's failure in the words of its contract, thrown from where it happened. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure';
  readonly outcome: Unsatisfied<never>;

  constructor(statement: Statement, cause: unknown) {
    super(statement.message, { cause });
    this.outcome = failed(statement, cause);
  }
}

/**
 * Does the work; where it is refused or its input is bad, the step fails with the statement made of the error's text.
 * Faults (a conflict, the network, a server in trouble, a bug) are thrown as they are: they say nothing about the resource.
 */
export async function failOnError<R>(statement: (error: string) => Statement, work: () => R | Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (isFault(error) || error instanceof StepFailure) throw error;
    throw new StepFailure(statement(error instanceof Error ? error.message : String(error)), error);
  }
}
