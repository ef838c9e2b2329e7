// SPDX-License-Identifier: Apache-2.0
import { controlPlaneScenarios } from '@forge/controlplane/test/simulation/scenarios.ts';
import { keystoneScenarios } from '@forge/keystone/test/simulation/scenarios.ts';
import type { ScenarioSet } from '@forge/simulation/run/scenario-set.ts';

/** The scenarios of all operators. */
const scenarioSets: readonly ScenarioSet[] = [keystoneScenarios, controlPlaneScenarios];

/** The operators that have scenarios. */
export const operators: readonly string[] = scenarioSets.map(({ operator }) => operator);

/** The scenarios of this operator, or of all: `keystone/upgrade`. */
export function scenarioNames(operator?: string): string[] {
  return scenarioSets
    .filter((set) => operator === undefined || set.operator === operator)
    .flatMap((set) => Object.keys(set.scenarios).map((name) => `${set.operator}/${name}`));
}

/** The set that a scenario belongs to, and its name in it; throws when there is none. */
export function scenarioNamed(full: string): { set: ScenarioSet; name: string } {
  const [operator, name = ''] = full.split('/');
  const set = scenarioSets.find((each) => each.operator === operator);
  if (set === undefined) throw new Error(`no operator has the scenario "${full}"`);
  return { set, name };
}
