// SPDX-License-Identifier: Apache-2.0

/** Thrown when the cost limit is exceeded. */
export class CostExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/** About 100 ms, at 100 ns per unit of work. */
const workLimit = 400_000;
/** How much cost takes as long as a unit of work. */
const costOfWork = 5;

/**
 * Counts the cost of an evaluation and aborts it at the limit.
 *
 * Cost is Kubernetes' own unit. It ignores some operations, such as concatenating lists or comparing deep ones; the
 * second counter, work, bounds those.
 */
export class Meter {
  readonly #limit: number;
  readonly #workLimit: number;
  #cost = 0;
  #work = 0;

  /** A meter for at most this cost, and at most this effort. Default: the limits of cost and work. */
  constructor(limit: number, effort = Infinity) {
    this.#limit = Math.min(limit, effort);
    this.#workLimit = Math.min(workLimit, effort / costOfWork);
  }

  /** The cost so far. */
  get cost(): number {
    return this.#cost;
  }

  /** Cost and work, in proportion to the time that they take: about 20 ns. */
  get effort(): number {
    return this.#cost + this.#work * costOfWork;
  }

  /** Adds cost. */
  charge(units: number): void {
    this.#cost += units;
    if (this.#cost > this.#limit) throw new CostExceeded();
  }

  /** Adds work that is not part of the cost. */
  work(units: number): void {
    this.#work += units;
    if (this.#work > this.#workLimit) throw new CostExceeded();
  }
}
