// SPDX-License-Identifier: Apache-2.0
import type { Rule } from './inspection.ts';
import { given } from './rule.ts';

/** What is wrong with a string; undefined when nothing is. */
export type Problem = (text: string) => string | readonly string[] | undefined;

/** A required value: neither missing nor an empty string or list. */
export function required(detail?: string): Rule<unknown> {
  return (value, at) => {
    if (value === undefined || value === null || (value as { length?: number }).length === 0) at.required(detail);
  };
}

/** A valid string; an empty one counts as unset. */
export function text(...problems: readonly Problem[]): Rule<string> {
  return (value = '', at) => {
    if (value === '') return;
    for (const problem of problems) {
      const found = problem(value);
      if (typeof found === 'string') at.invalid(value, found);
      else if (found !== undefined) for (const detail of found) at.invalid(value, detail);
    }
  };
}

/** A required valid string. */
export function requiredText(...problems: readonly Problem[]): Rule<string> {
  const rest = text(...problems);
  return (value = '', at) => {
    if (value === '') at.required();
    else rest(value, at);
  };
}

/** One of some strings; an empty one counts as unset. */
export function oneOf(...supported: readonly string[]): Rule<string> {
  return (value = '', at) => {
    if (value !== '' && !supported.includes(value)) at.unsupported(value, supported);
  };
}

/** A required string, one of some. */
export function requiredOneOf(...supported: readonly string[]): Rule<string> {
  const rest = oneOf(...supported);
  return (value = '', at) => {
    if (value === '') at.required();
    else rest(value, at);
  };
}

/** A number with a minimum. */
export function atLeast(minimum: number): Rule<number> {
  return given((value, at) => {
    if (value < minimum) at.invalid(value, `must be greater than or equal to ${minimum}`);
  });
}

/** A non-negative number. */
export const count = atLeast(0);

/** A number in an inclusive range. */
export function between(minimum: number, maximum: number): Rule<number> {
  return given((value, at) => {
    if (value < minimum || value > maximum) at.invalid(value, `must be between ${minimum} and ${maximum}, inclusive`);
  });
}

/** A port number. */
export const portNumber = between(1, 65_535);

const percent = /^[0-9]+%$/;
const percentRule =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** A count or a percentage. */
export const countOrPercent: Rule<number | string> = given((value, at) => {
  if (typeof value === 'number') count(value, at);
  else if (!percent.test(value)) at.invalid(value, percentRule);
});

/** A percentage is at most 100%. */
export const atMostHundredPercent: Rule<number | string> = given((value, at) => {
  if (typeof value === 'string' && percent.test(value) && Number.parseInt(value, 10) > 100) {
    at.invalid(value, 'must not be greater than 100%');
  }
});

/** A count, or a percentage of at most 100%. */
export const countOrBoundedPercent: Rule<number | string> = given((value, at) => {
  countOrPercent(value, at);
  atMostHundredPercent(value, at);
});
