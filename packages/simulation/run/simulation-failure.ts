// SPDX-License-Identifier: Apache-2.0
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { Run } from './run-scenario.ts';

const shownLines = 40;

/** A failed run: its violations, and the plan that reproduces it. */
export class SimulationFailure extends Error {
  override readonly name = 'SimulationFailure';
  readonly #run: Run;

  constructor(run: Run, found: FaultPlan = run.plan) {
    const { violations, plan, trace, traceHash } = run;
    const lines = [
      ...violations,
      `seed ${found.seed}, plan ${JSON.stringify(found)}`,
      ...(found === plan ? [] : [`the smallest plan that fails: ${JSON.stringify(plan)}`]),
      `trace ${traceHash}, ending with`,
      ...trace.slice(-shownLines).map((line) => `  ${line}`),
    ];
    super(lines.join('\n'));
    this.#run = run;
  }

  /** The run with the smallest plan. */
  get run(): Run {
    return this.#run;
  }
}
