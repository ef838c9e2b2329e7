// SPDX-License-Identifier: Apache-2.0
import type { Rule } from './inspection.ts';
import { given } from './rule.ts';

/** What is wrong with a text; undefined when nothing is. */
export type Problem = (text: string) => string | readonly string[] | undefined;

/** There must be something: neither nothing nor an empty text or list. */
export function required(detail?: string): Rule<unknown> {
  return (value, at) => {
    if (value === undefined || value === null || (value as { length?: number }).length === 0) at.required(detail);
  };
}

/** A text without problems; an empty one says nothing. */
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

/** A text that must be there, without problems. */
export function requiredText(...problems: readonly Problem[]): Rule<string> {
  const rest = text(...problems);
  return (value = '', at) => {
    if (value === '') at.required();
    else rest(value, at);
  };
}

/** One of a few texts; an empty one says nothing. */
export function oneOf(...supported: readonly string[]): Rule<string> {
  return (value = '', at) => {
    if (value !== '' && !supported.includes(value)) at.unsupported(value, supported);
  };
}

/** One of a few texts, which must be there. */
export function requiredOneOf(...supported: readonly string[]): Rule<string> {
  const rest = oneOf(...supported);
  return (value = '', at) => {
    if (value === '') at.required();
    else rest(value, at);
  };
}

/** A number that is not below this one. */
export function atLeast(minimum: number): Rule<number> {
  return given((value, at) => {
    if (value < minimum) at.invalid(value, `must be greater than or equal to ${minimum}`);
  });
}

/** A number that counts something. */
export const count = atLeast(0);

/** A number from a range, both ends included. */
export function between(minimum: number, maximum: number): Rule<number> {
  return given((value, at) => {
    if (value < minimum || value > maximum) at.invalid(value, `must be between ${minimum} and ${maximum}, inclusive`);
  });
}

/** A port's number. */
export const portNumber = between(1, 65_535);

const percent = /^[0-9]+%$/;
const percentRule =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** A count, or a share in percent. */
export const countOrPercent: Rule<number | string> = given((value, at) => {
  if (typeof value === 'number') count(value, at);
  else if (!percent.test(value)) at.invalid(value, percentRule);
});

/** A share, if it is one, is at most all. */
export const atMostHundredPercent: Rule<number | string> = given((value, at) => {
  if (typeof value === 'string' && percent.test(value) && Number.parseInt(value, 10) > 100) {
    at.invalid(value, 'must not be greater than 100%');
  }
});

/** A count, or a share of at most all. */
export const countOrBoundedPercent: Rule<number | string> = given((value, at) => {
  countOrPercent(value, at);
  atMostHundredPercent(value, at);
});
