// SPDX-License-Identifier: Apache-2.0
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { Run } from './run-scenario.ts';

const maxTries = 100;

/** The smallest failing run found by removing faults one by one. */
export async function shrink(failing: Run, replay: (plan: FaultPlan) => Promise<Run>): Promise<Run> {
  let smallest = failing;
  let at = 0;
  for (let tries = 0; tries < maxTries && at < smallest.plan.faults.length; tries += 1) {
    const { seed, faults } = smallest.plan;
    const run = await replay({ seed, faults: faults.toSpliced(at, 1) });
    if (run.violations.length > 0) smallest = run;
    else at += 1;
  }
  return smallest;
}
