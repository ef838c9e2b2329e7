// SPDX-License-Identifier: Apache-2.0
// One worker of `npm run simulate`: runs its share of the plans of each scenario, and goes on after a failure.
import { seededRandom } from '@forge/runtime/testing/seeded-random.ts';
import type { FaultPlan } from '@forge/simulation/faults/fault-plan.ts';
import { drawnPlans } from '@forge/simulation/faults/sweep.ts';
import { scenarioOf, singleFaultPlans } from '@forge/simulation/run/scenario-set.ts';
import { simulation } from '@forge/simulation/run/simulation.ts';
import { scenarioNamed } from './scenario-sets.ts';

/** What a worker runs: of the plans of these scenarios, each of its remainder. */
export interface Share {
  names: readonly string[];
  /** Whether all single faults are injected at each operation; otherwise similar ones take turns. */
  thorough: boolean;
  /** The plans drawn for each scenario, and the first seed. */
  drawn: number;
  first: number;
  /** How many of all these plans run for each scenario, chosen by the first seed. Default: all. */
  sample?: number;
  /** The number of this worker, and how many there are. */
  index: number;
  of: number;
}

/** What a worker reports: after each plan, and when its share of a scenario is done. */
export interface Progress {
  name: string;
  plan?: number;
  failure?: string;
  /** Seconds of CPU for its share. */
  done?: number;
}

const { names, thorough, drawn, first, sample, index, of } = JSON.parse(process.argv[2] ?? '') as Share;
for (const name of names) {
  const begin = process.cpuUsage();
  try {
    await runScenarioShare(name);
  } catch (error) {
    report({ name, plan: -1, failure: `without any fault: ${String(error)}` });
  }
  const { user, system } = process.cpuUsage(begin);
  report({ name, done: (user + system) / 1e6 });
}
process.disconnect();

async function runScenarioShare(full: string): Promise<void> {
  const { set, name } = scenarioNamed(full);
  const simulated = await simulation(scenarioOf(set, name));
  const { baseline } = simulated;
  const single = singleFaultPlans(set, name, { baseline, thorough });
  const plans = sampled([...single, ...drawnPlans(baseline.operations, first, drawn)]);
  for (const [plan, faults] of plans.entries()) {
    if (plan % of !== index) continue;
    try {
      await simulated.check(faults);
      report({ name: full, plan });
    } catch (error) {
      report({ name: full, plan, failure: String(error) });
    }
  }
}

/** The chosen ones, the same for every worker. */
function sampled(plans: readonly FaultPlan[]): readonly FaultPlan[] {
  if (sample === undefined) return plans;
  const random = seededRandom(first);
  const ranked = plans.map((plan) => [random.number(), plan] as const).toSorted(([a], [b]) => a - b);
  return ranked.slice(0, sample).map(([, plan]) => plan);
}

function report(progress: Progress): void {
  process.send?.(progress);
}
