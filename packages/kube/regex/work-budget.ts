// SPDX-License-Identifier: Apache-2.0
import type { WorkMeter } from './regex.ts';

/** What is left to spend on regular expressions has been spent. */
export class WorkBudgetExceeded extends Error {}

/** About what 100 ms allow: as much as the patterns of one schema may cost, or one object's values that they are matched with. */
const limit = 400_000;

/** Counts work, and throws when it becomes too much, so that nobody's pattern can hang the process. */
export class WorkBudget implements WorkMeter {
  #spent = 0;

  work(units: number): void {
    this.#spent += units;
    if (this.#spent > limit) throw new WorkBudgetExceeded('the regular expressions of the schema take too long');
  }
}
