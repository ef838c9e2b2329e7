// SPDX-License-Identifier: Apache-2.0
// One worker of `npm run simulate`: runs its share of the plans of each scenario, and goes on after a failure.
import { keystoneScenarios, startScenarios } from '@forge/keystone/test/simulation/scenarios.ts';
import { drawnPlans, systematicPlans } from '@forge/keystone/test/simulation/sweep.ts';
import { simulation } from '@forge/simulation/run/simulation.ts';

/** What a worker runs: of the plans of these scenarios, each of its remainder. */
export interface Share {
  names: readonly string[];
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

const { names, drawn, first, index, of } = JSON.parse(process.argv[2] ?? '') as Share;
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

async function runScenarioShare(name: string): Promise<void> {
  const keystone = await simulation(keystoneScenarios[name] as (typeof keystoneScenarios)[string]);
  const single = systematicPlans(keystone.baseline, startScenarios.includes(name));
  const plans = [...single, ...drawnPlans(keystone.baseline.operations, first, drawn)];
  for (const [plan, faults] of plans.entries()) {
    if (plan % of !== index) continue;
    try {
      await keystone.check(faults);
      report({ name, plan });
    } catch (error) {
      report({ name, plan, failure: String(error) });
    }
  }
}

function report(progress: Progress): void {
  process.send?.(progress);
}
