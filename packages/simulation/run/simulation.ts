// SPDX-License-Identifier: Apache-2.0
import { drawPlan } from '../faults/draw-plan.ts';
import { everyPlan } from '../faults/every-plan.ts';
import { baselineSeed, type FaultKind, type FaultPlan } from '../faults/fault-plan.ts';
import { variantsOf } from '../faults/variants.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { prepareCluster } from '../world/prepare-cluster.ts';
import { runScenario, type Run } from './run-scenario.ts';
import { shrink } from './shrink.ts';
import { SimulationFailure } from './simulation-failure.ts';

/** A scenario that can be run with any fault plan. */
export interface Simulation {
  /** The run without faults, with which all others are compared. */
  readonly baseline: Run;
  /** Runs the fault plan of a seed. */
  run(seed: number): Promise<Run>;
  /** Runs this plan; the same plan always gives the same run. */
  replay(plan: FaultPlan): Promise<Run>;
  /** Runs this many seeds, starting at `from`; throws a SimulationFailure with the smallest plan that still fails. */
  survives(seeds: number, from?: number): Promise<void>;
  /**
   * Injects this fault into every process, or the selected ones, at every possible operation, one run each; throws like
   * `survives`. `{ fault: 'crash', when: 'after' }` crashes each process after its first write, then after its second,
   * and so on.
   */
  survivesEvery(fault: FaultKind, isSelected?: (process: string) => boolean): Promise<void>;
  /** Runs this plan; throws like `survives`. */
  check(plan: FaultPlan): Promise<void>;
  /** Runs this plan and, if it has a single fault, those with the variants of the fault; throws like `survives`. */
  checkVariants(plan: FaultPlan): Promise<void>;
}

/** Prepares a scenario: sets up its cluster and performs the baseline run, which must pass. */
export async function simulation(scenario: Scenario): Promise<Simulation> {
  const prepared = () => prepareCluster({ setUp: async (user) => scenario.setUp?.(user) });
  const server = await (scenario.from === undefined ? prepared() : scenario.from());
  const baseline = await runScenario(scenario, { plan: { seed: baselineSeed, faults: [] }, server });
  if (baseline.violations.length > 0) throw new SimulationFailure(baseline);
  const replay = (plan: FaultPlan) => runScenario(scenario, { plan, server, baseline });

  async function check(plan: FaultPlan): Promise<Run> {
    const run = await replay(plan);
    if (run.violations.length > 0) throw new SimulationFailure(await shrink(run, replay), run.plan);
    return run;
  }

  return {
    baseline,
    replay,
    run: (seed) => replay(drawPlan(seed, baseline.operations)),

    async survives(seeds, from = 1) {
      for (let seed = from; seed < from + seeds; seed += 1) await check(drawPlan(seed, baseline.operations));
    },

    async survivesEvery(fault, isSelected) {
      for (const plan of everyPlan(fault, baseline.operations, isSelected)) await check(plan);
    },

    async check(plan) {
      await check(plan);
    },

    async checkVariants(plan) {
      const { effects } = await check(plan);
      const [fault, ...others] = plan.faults;
      if (fault === undefined || others.length > 0) return;
      for (const variant of variantsOf(fault, effects)) await check({ ...plan, faults: [variant] });
    },
  };
}
