// SPDX-License-Identifier: Apache-2.0
import type { WorkMeter } from './regex.ts';

/** The work budget of regular expressions is exceeded. */
export class WorkBudgetExceeded extends Error {}

/** About 100 ms: for the patterns of one schema, or for matching the values of one object. */
const limit = 400_000;

/** Counts work, and throws when the budget is exceeded, so that no pattern can hang the process. */
export class WorkBudget implements WorkMeter {
  #spent = 0;

  work(units: number): void {
    this.#spent += units;
    if (this.#spent > limit) throw new WorkBudgetExceeded('the regular expressions of the schema take too long');
  }
}
