// SPDX-License-Identifier: Apache-2.0

/** The end of an evaluation that has become too expensive. */
export class CostExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/** About what 100 ms allow, a unit of work being what takes 100 ns. */
const workLimit = 400_000;

/**
 * Counts what one evaluation costs, and ends it when that is too much.
 *
 * Cost is Kubernetes' currency, unit for unit. It leaves out what its own implementation does for free or does not
 * expect, such as joining lists or comparing deep ones; the second count, work, is there so that no such gap can hang us.
 */
export class Meter {
  readonly #limit: number;
  #cost = 0;
  #work = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What the evaluation has cost so far. */
  get cost(): number {
    return this.#cost;
  }

  /** Counts units of cost. */
  charge(units: number): void {
    this.#cost += units;
    if (this.#cost > this.#limit) throw new CostExceeded();
  }

  /** Counts work that the cost does not speak of. */
  work(units: number): void {
    this.#work += units;
    if (this.#work > workLimit) throw new CostExceeded();
  }
}
