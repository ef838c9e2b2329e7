// SPDX-License-Identifier: Apache-2.0
// One worker of `npm run simulate`: runs its share of the plans of each scenario, and goes on after a failure.
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

const { names, thorough, drawn, first, index, of } = JSON.parse(process.argv[2] ?? '') as Share;
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
  const plans = [...single, ...drawnPlans(baseline.operations, first, drawn)];
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

function report(progress: Progress): void {
  process.send?.(progress);
}
