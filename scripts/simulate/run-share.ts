// SPDX-License-Identifier: Apache-2.0
// One worker of `npm run simulate`: runs its share of the plans of each scenario, and continues after a failure.
import { seededRandom } from '@forge/runtime/environment/seeded-random.ts';
import type { FaultPlan } from '@forge/simulation/faults/fault-plan.ts';
import { drawnPlansOf, scenarioOf, singleFaultPlans } from '@forge/simulation/run/scenario-set.ts';
import { simulation } from '@forge/simulation/run/simulation.ts';
import { scenarioNamed } from './scenario-sets.ts';

/** The share of a worker: the plans of these scenarios whose index modulo the number of workers is its own. */
export interface Share {
  names: readonly string[];
  /** The number of random plans for each scenario, and the first seed. */
  drawn: number;
  first: number;
  /** How many of all these plans run for each scenario, chosen by the first seed. Default: all. */
  sample?: number;
  /** The number of this worker, and how many there are. */
  index: number;
  of: number;
}

/** The message of a worker after each plan, and when its share of a scenario is done. */
export interface Progress {
  name: string;
  plan?: number;
  failure?: string;
  /** CPU seconds of its share. */
  done?: number;
}

const { names, drawn, first, sample, index, of } = JSON.parse(process.argv[2] ?? '') as Share;
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
  const single = singleFaultPlans(set, name, baseline);
  const plans = sampled([...single, ...drawnPlansOf(set, baseline, { first, count: drawn })]);
  for (const [plan, faults] of plans.entries()) {
    if (plan % of !== index) continue;
    try {
      await simulated.checkVariants(faults);
      report({ name: full, plan });
    } catch (error) {
      report({ name: full, plan, failure: String(error) });
    }
  }
}

/** The sample of the plans, the same for every worker. */
function sampled(plans: readonly FaultPlan[]): readonly FaultPlan[] {
  if (sample === undefined) return plans;
  const random = seededRandom(first);
  const ranked = plans.map((plan) => [random.number(), plan] as const).toSorted(([a], [b]) => a - b);
  return ranked.slice(0, sample).map(([, plan]) => plan);
}

function report(progress: Progress): void {
  process.send?.(progress);
}
