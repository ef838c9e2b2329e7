// SPDX-License-Identifier: Apache-2.0
import { compileRegex } from '@forge/kube/regex/compile-regex.ts';
import type { Regex } from '@forge/kube/regex/regex.ts';
import { widthAt } from '../values/code-points.ts';
import { ListValue } from '../values/list-value.ts';
import type { Meter } from '../values/meter.ts';
import { bool, int, listOf, string } from '../values/type.ts';
import { EvalError, type Result } from '../values/value.ts';
import { type Argument, define, defineMember, type Overload, product } from './overload.ts';

function regexOf(pattern: string, meter: Meter): Regex | EvalError {
  const regex = compileRegex(pattern, meter);
  return regex instanceof SyntaxError ? new EvalError(regex.message) : regex;
}

function matches(text: string, pattern: string, meter: Meter): Result {
  const regex = regexOf(pattern, meter);
  return regex instanceof EvalError ? regex : regex.test(text, meter);
}

function find(text: string, pattern: string, meter: Meter): Result {
  const regex = regexOf(pattern, meter);
  if (regex instanceof EvalError) return new EvalError(`Illegal regex: ${regex.message}`);
  const found = regex.find(text, 0, meter);
  return found === undefined ? '' : text.slice(...found);
}

function findAll(text: string, pattern: string, limit: bigint, meter: Meter): Result {
  const regex = regexOf(pattern, meter);
  if (regex instanceof EvalError) return new EvalError(`Illegal regex: ${regex.message}`);
  const all: string[] = [];
  let previous = -1;
  const most = limit < 0n ? Infinity : Number(limit);
  for (let at = 0; at <= text.length && all.length < most;) {
    const found = regex.find(text, at, meter);
    if (found === undefined) break;
    const [start, end] = found;
    // An empty match right after the previous one does not count.
    if (end > start || start !== previous) all.push(text.slice(start, end));
    previous = end;
    at = end > start ? end : end + widthAt(text, end);
  }
  return ListValue.of(all);
}

const searching = {
  cost: (text: number, pattern: number) => product(Math.ceil((1 + text) * 0.1), Math.ceil(pattern * 0.25)),
};
const finding = { ...searching, estimate: ({ size }: Argument) => ({ size: { min: 0, max: size.max } }) };

/** Regular expressions. */
export const regexes: readonly Overload[] = [
  define('matches', [string, string], bool, matches),
  defineMember('matches', [string, string], bool, matches, searching),
  defineMember('find', [string, string], string, find, finding),
  defineMember(
    'findAll',
    [string, string],
    listOf(string),
    (text: string, pattern: string, meter: Meter) => findAll(text, pattern, -1n, meter),
    finding,
  ),
  defineMember('findAll', [string, string, int], listOf(string), findAll, finding),
];
