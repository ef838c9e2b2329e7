// SPDX-License-Identifier: Apache-2.0
import { lengthOf, offsetOf, widthAt } from '../values/code-points.ts';
import { ListValue } from '../values/list-value.ts';
import type { Meter } from '../values/meter.ts';
import { bool, dyn, int, listOf, string } from '../values/type.ts';
import { EvalError, type Result, displayValue, sizeOf } from '../values/value.ts';
import { formatText } from './format-text.ts';
import {
  type Argument,
  type CallEstimate,
  define,
  defineMember,
  type Overload,
  product,
  traverse,
} from './overload.ts';

function outOfRange(index: bigint): EvalError {
  return new EvalError(`index out of range: ${index}`);
}

function charAt(text: string, index: bigint): Result {
  const length = lengthOf(text);
  if (index < 0n || index > length) return outOfRange(index);
  const at = offsetOf(text, Number(index));
  return index === BigInt(length) ? '' : text.slice(at, at + widthAt(text, at));
}

/** Substring search is quadratic in the worst case. */
function search(text: string, part: string, meter: Meter): void {
  meter.work((text.length * Math.min(part.length, text.length)) / 200);
}

/** The position of a substring in characters; -1 when it is absent. */
function position(text: string, found: number): bigint {
  return found < 0 ? -1n : BigInt(lengthOf(text.slice(0, found)));
}

/** Searches a substring from an offset, forwards or backwards. */
function indexFrom(seek: 'indexOf' | 'lastIndexOf') {
  return (text: string, part: string, from: bigint, meter: Meter): Result => {
    if (part === '') return from;
    if (from < 0n) return outOfRange(from);
    if (from >= lengthOf(text)) return -1n;
    search(text, part, meter);
    return position(text, text[seek](part, offsetOf(text, Number(from))));
  };
}

const indexOf = indexFrom('indexOf');

function lastIndexOf(text: string, part: string, meter: Meter): Result {
  if (part === '') return BigInt(lengthOf(text));
  search(text, part, meter);
  return position(text, text.lastIndexOf(part));
}

/** Splits at the separator into at most `limit` parts; into characters when it is empty. */
function pieces(text: string, separator: string, limit: number, meter: Meter): string[] {
  search(text, separator, meter);
  const all = separator === '' ? Array.from(text) : text.split(separator);
  if (limit < 0 || all.length <= limit) return all;
  return limit === 0 ? [] : [...all.slice(0, limit - 1), all.slice(limit - 1).join(separator)];
}

function replace(text: string, part: string, by: string, limit: number, meter: Meter): Result {
  if (limit === 0) return text;
  const parts = pieces(text, part, limit < 0 || part === '' ? -1 : limit + 1, meter);
  meter.work((parts.length * (by.length + 100)) / 200);
  if (part !== '') return parts.join(by);
  // An empty substring matches before every character and at the end.
  const filled = parts.map((each, index) => (limit < 0 || index < limit ? by + each : each));
  return filled.join('') + (limit < 0 || limit > parts.length ? by : '');
}

function substring(text: string, start: bigint, end: bigint = BigInt(lengthOf(text))): Result {
  const length = lengthOf(text);
  if (start > end && start <= length) {
    return new EvalError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (start < 0n || start > length) return outOfRange(start);
  if (end < 0n || end > length) return outOfRange(end);
  return text.slice(offsetOf(text, Number(start)), offsetOf(text, Number(end)));
}

/** Unicode white space, which differs slightly from JavaScript's. */
const blanks = new Set('\t\n\v\f\r \u0085\u00A0\u1680\u2028\u2029\u202F\u205F\u3000'.split(''));

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 32 || (code >= 0x20_00 && code <= 0x20_0a) || blanks.has(text.charAt(at));
}

/** A regular expression would be quadratic. */
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text, start)) start++;
  while (end > start && isBlank(text, end - 1)) end--;
  return text.slice(start, end);
}

function join(list: ListValue, separator: string, meter: Meter): Result {
  const texts: string[] = [];
  for (const item of list.items) {
    if (item instanceof EvalError) return item;
    if (typeof item !== 'string') return new EvalError(`join: invalid input: ${displayValue(item)}`);
    meter.work((item.length + separator.length) / 100);
    texts.push(item);
  }
  return texts.join(separator);
}

const escapes: Readonly<Record<string, string>> = {
  '\u0007': String.raw`\a`,
  '\b': String.raw`\b`,
  '\f': String.raw`\f`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  '\v': String.raw`\v`,
  '\\': String.raw`\\`,
  '"': String.raw`\"`,
};

function quote(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return `"${text.toWellFormed().replaceAll(/[\u0007\b\f\n\r\t\v\\"]/g, (character) => escapes[character] ?? '')}"`;
}

const traversing = { cost: (size: number) => traverse(size), estimate: ({ size }: Argument) => ({ size }) };
const seeking = {
  actual: ([text]: readonly unknown[]) => Math.floor((text as string).length * 0.1),
  cost: (size: number) => traverse(size),
};
const twice = (size: number): number => Math.ceil(size * 0.2);
const affix = {
  actual: ([text]: readonly unknown[]) => traverse(sizeOf(text as string)),
  cost: (_: number, size: number) => traverse(size),
};

function splitEstimate({ size }: Argument, _: Argument, limit?: Argument): CallEstimate {
  const count = limit?.literal;
  return { size: { min: 0, max: count === undefined ? size.max : count < 0 ? Infinity : count } };
}

/** The size range of a string after replacements. */
function replaceEstimate({ size: text }: Argument, { size: part }: Argument, { size: by }: Argument): CallEstimate {
  const longest =
    part.min === 0
      ? product(text.max + 1, by.max) + text.max
      : by.max <= part.min
        ? text.max
        : product(Math.ceil(text.max / part.min), by.max);
  const shortest =
    part.max === 0
      ? product(text.min + 1, by.min) + text.min
      : part.max <= by.min
        ? text.min
        : product(Math.ceil(text.min / part.max), by.min);
  return { size: { min: shortest, max: longest } };
}

function joinEstimate(list: Argument, separator?: Argument): CallEstimate {
  const gaps = Math.max(list.size.max - 1, 0);
  const max = product(list.size.max, list.itemSize.max) + product(gaps, separator?.size.max ?? 0);
  return { cost: traverse(max), size: { min: 0, max } };
}

const joining = {
  actual: (_: readonly unknown[], result: Result) => (typeof result === 'string' ? twice(sizeOf(result)) : 1),
  estimate: joinEstimate,
};
const replacing = { cost: twice, estimate: replaceEstimate };
const splitting = { cost: twice, estimate: splitEstimate };

/** String functions: the standard ones, and version 2 of the CEL extension. */
export const strings: readonly Overload[] = [
  defineMember('contains', [string, string], bool, (text: string, part: string) => text.includes(part), {
    cost: (text, part) => product(traverse(text), traverse(part)),
  }),
  defineMember('startsWith', [string, string], bool, (text: string, part: string) => text.startsWith(part), affix),
  defineMember('endsWith', [string, string], bool, (text: string, part: string) => text.endsWith(part), affix),
  defineMember('charAt', [string, int], string, charAt),
  defineMember(
    'indexOf',
    [string, string],
    int,
    (text: string, part: string, meter: Meter) => indexOf(text, part, 0n, meter),
    seeking,
  ),
  defineMember('indexOf', [string, string, int], int, indexOf, seeking),
  defineMember('lastIndexOf', [string, string], int, lastIndexOf, seeking),
  defineMember('lastIndexOf', [string, string, int], int, indexFrom('lastIndexOf'), seeking),
  defineMember(
    'lowerAscii',
    [string],
    string,
    (text: string) => text.replaceAll(/[A-Z]+/g, (found) => found.toLowerCase()),
    traversing,
  ),
  defineMember(
    'upperAscii',
    [string],
    string,
    (text: string) => text.replaceAll(/[a-z]+/g, (found) => found.toUpperCase()),
    traversing,
  ),
  defineMember(
    'replace',
    [string, string, string],
    string,
    (text: string, part: string, by: string, meter: Meter) => replace(text, part, by, -1, meter),
    replacing,
  ),
  defineMember(
    'replace',
    [string, string, string, int],
    string,
    (text: string, part: string, by: string, limit: bigint, meter: Meter) =>
      replace(text, part, by, Number(limit), meter),
    replacing,
  ),
  defineMember(
    'split',
    [string, string],
    listOf(string),
    (text: string, separator: string, meter: Meter) => ListValue.of(pieces(text, separator, -1, meter)),
    splitting,
  ),
  defineMember(
    'split',
    [string, string, int],
    listOf(string),
    (text: string, separator: string, limit: bigint, meter: Meter) =>
      ListValue.of(pieces(text, separator, Number(limit), meter)),
    splitting,
  ),
  defineMember('substring', [string, int], string, (text: string, start: bigint) => substring(text, start), traversing),
  defineMember(
    'substring',
    [string, int, int],
    string,
    (text: string, start: bigint, end: bigint) => substring(text, start, end),
    traversing,
  ),
  defineMember('trim', [string], string, trim, traversing),
  defineMember('format', [string, listOf(dyn)], string, formatText, { cost: (size) => traverse(size) }),
  define('strings.quote', [string], string, quote, {
    cost: traverse,
    estimate: ({ size: { min, max } }) => ({ size: { min: min + 2, max: max * 2 + 2 } }),
  }),
  defineMember('join', [listOf(string)], string, (list: ListValue, meter: Meter) => join(list, '', meter), joining),
  defineMember('join', [listOf(string), string], string, join, joining),
];
