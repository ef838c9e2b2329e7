// SPDX-License-Identifier: Apache-2.0
import type { LabelSelector, LabelSelectorRequirement } from '@forge/kube/generated/types.ts';
import { labelValueProblem, qualifiedNameProblem } from '../formats/names.ts';
import { selectorLengthProblem } from '../formats/selector-limit.ts';
import type { Rule } from './inspection.ts';
import { all, each, fields, given } from './rule.ts';
import { text } from './value-rules.ts';

/** Validates labels. */
export const labels: Rule<Readonly<Record<string, string>>> = given((map, at) => {
  for (const key in map) {
    if (at.isFull) return;
    const value = map[key] ?? '';
    const keyProblem = qualifiedNameProblem(key);
    const valueProblem = labelValueProblem(value);
    if (keyProblem !== undefined) at.invalid(key, keyProblem);
    if (valueProblem !== undefined) at.invalid(value, valueProblem);
  }
});

const values: Rule<LabelSelectorRequirement> = given(({ operator, values: listed = [] }, at) => {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (listed.length === 0) at.required("must be specified when `operator` is 'In' or 'NotIn'", 'values');
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (listed.length > 0)
        at.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'", 'values');
      break;
    default:
      at.invalid(operator, 'not a valid selector operator', 'operator');
  }
});

/** Validates the labels that a selector wants, such as that of a Service. */
export const wantedLabels: Rule<Readonly<Record<string, string>>> = given((map, at) => {
  const { length } = Object.keys(map);
  const problem = selectorLengthProblem(length, length);
  if (problem === undefined) labels(map, at);
  else at.forbidden(problem);
});

const requirements: Rule<LabelSelector> = fields({
  matchLabels: labels,
  matchExpressions: each(
    all(
      values,
      fields<LabelSelectorRequirement>({ key: text(qualifiedNameProblem), values: each(text(labelValueProblem)) }),
    ),
  ),
});

/** Validates a LabelSelector. */
export const selector: Rule<LabelSelector> = given((value, at) => {
  const { matchLabels = {}, matchExpressions = [] } = value;
  const { length } = Object.keys(matchLabels);
  const listed = matchExpressions.reduce((sum, { values: of = [] }) => sum + of.length, 0);
  const problem = selectorLengthProblem(length + matchExpressions.length, length + listed);
  if (problem === undefined) requirements(value, at);
  else at.forbidden(problem);
});
