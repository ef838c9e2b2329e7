// SPDX-License-Identifier: Apache-2.0
import type { FaultPlan } from '../faults/fault-plan.ts';
import { drawnPlans, handPlans, systematicPlans } from '../faults/sweep.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Run } from './run-scenario.ts';
import { simulation } from './simulation.ts';

/** All scenarios of an operator. */
export interface ScenarioSet {
  /** Prefix of the names of its processes. */
  readonly operator: string;
  readonly scenarios: Readonly<Record<string, Scenario>>;
  /** One scenario for each starting point: the others are identical until their first step. */
  readonly starts: readonly string[];
}

/** The plans with a single fault or manual change for one of the scenarios. */
export function singleFaultPlans(set: ScenarioSet, name: string, baseline: Run): FaultPlan[] {
  const options = { isOperator: isOperatorOf(set), withStart: set.starts.includes(name) };
  return [...systematicPlans(baseline, options), ...handPlans(baseline, options)];
}

/** The drawn plans of this many seeds for one of the scenarios. */
export function drawnPlansOf(set: ScenarioSet, baseline: Run, seeds: { first: number; count: number }): FaultPlan[] {
  return drawnPlans(baseline, isOperatorOf(set), seeds);
}

const isOperatorOf =
  ({ operator }: ScenarioSet) =>
  (process: string): boolean =>
    process.startsWith(operator);

/**
 * Checks a scenario with one plan: for every other scenario one with a single fault, at a different operation each
 * time, otherwise a drawn one. Returns the baseline run.
 */
export async function checkSample(set: ScenarioSet, name: string): Promise<Run> {
  const simulated = await simulation(scenarioOf(set, name));
  const { baseline } = simulated;
  const index = Object.keys(set.scenarios).indexOf(name);
  const all = singleFaultPlans(set, name, baseline);
  const [plan] =
    index % 2 === 0
      ? all.slice((index * 11) % all.length)
      : drawnPlansOf(set, baseline, { first: index + 1, count: 1 });
  if (plan !== undefined) await simulated.check(plan);
  return baseline;
}

/** The scenario of this name; throws when there is none. */
export function scenarioOf({ operator, scenarios }: ScenarioSet, name: string): Scenario {
  const scenario = scenarios[name];
  if (scenario === undefined) {
    throw new Error(`${operator} has no scenario "${name}", only ${Object.keys(scenarios).join(', ')}`);
  }
  return scenario;
}
