// SPDX-License-Identifier: Apache-2.0

/** Maximum number of requirements in a selector, and of label values in them: each object is compared with all. */
const maxRequirements = 1000;
const maxValues = 10_000;

/** What is wrong with the length of a selector; undefined when nothing is. */
export function selectorLengthProblem(requirements: number, values: number): string | undefined {
  if (requirements <= maxRequirements && values <= maxValues) return undefined;
  return `the selector is too long: limit is ${maxRequirements} requirements and ${maxValues} values`;
}
