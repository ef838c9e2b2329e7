// SPDX-License-Identifier: Apache-2.0
import type { ScenarioSet } from '@forge/simulation/run/scenario-set.ts';
import { operators as registered } from '../../operators/operators.ts';

/** The scenarios of all operators. */
const scenarioSets: readonly ScenarioSet[] = (
  await Promise.all(registered.map(async ({ development }) => (await development()).development.scenarios ?? []))
).flat();

/** The operators that have scenarios. */
export const operators: readonly string[] = scenarioSets.map(({ operator }) => operator);

/** The scenarios of this operator or of all, as `keystone/upgrade`. */
export function scenarioNames(operator?: string): string[] {
  return scenarioSets
    .filter((set) => operator === undefined || set.operator === operator)
    .flatMap((set) => Object.keys(set.scenarios).map((name) => `${set.operator}/${name}`));
}

/** The set that a scenario belongs to, and its name in the set; throws when there is none. */
export function scenarioNamed(full: string): { set: ScenarioSet; name: string } {
  const [operator, name = ''] = full.split('/');
  const set = scenarioSets.find((each) => each.operator === operator);
  if (set === undefined) throw new Error(`no operator has the scenario "${full}"`);
  return { set, name };
}
