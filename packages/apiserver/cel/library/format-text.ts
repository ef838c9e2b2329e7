// SPDX-License-Identifier: Apache-2.0
import { formatDouble } from '../values/double-text.ts';
import { formatDuration } from '../values/duration-text.ts';
import { ListValue } from '../values/list-value.ts';
import { MapValue } from '../values/map-value.ts';
import type { Meter } from '../values/meter.ts';
import { formatTimestamp } from '../values/timestamp-text.ts';
import type { Type } from '../values/type.ts';
import {
  Duration,
  EvalError,
  kindOf,
  type Result,
  Timestamp,
  typeNameOf,
  TypeValue,
  Uint,
  type Value,
} from '../values/value.ts';

/** A formatting verb. */
interface Clause {
  readonly takes: readonly Type['kind'][];
  /** The error for other argument types. */
  readonly rule: string;
  readonly write: (arg: Value, digits: number, meter: Meter) => string | EvalError;
}

const fixed = 'fixed-point clause can only be used on doubles';
const scientific = 'scientific clause can only be used on doubles';
const text =
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';
const hexadecimal = 'only integers, byte buffers, and strings can be formatted as hex';
const hex: Clause = { takes: ['int', 'uint', 'string', 'bytes'], rule: hexadecimal, write: writeHex };

const clauses: Readonly<Record<string, Clause>> = {
  s: {
    takes: 'list map int uint double bool string timestamp bytes duration type null'.split(' ') as Type['kind'][],
    rule: text,
    write: (arg, _, meter) => writeString(arg, meter),
  },
  d: {
    takes: ['int', 'uint'],
    rule: 'decimal clause can only be used on integers',
    write: (arg) => String(wholeOf(arg)),
  },
  f: { takes: ['double', 'string'], rule: fixed, write: writeNumber(fixed, writeFixed) },
  e: { takes: ['double', 'string'], rule: scientific, write: writeNumber(scientific, writeScientific) },
  b: {
    takes: ['int', 'uint', 'bool'],
    rule: 'only integers and bools can be formatted as binary',
    write: (arg) => (typeof arg === 'boolean' ? String(Number(arg)) : wholeOf(arg).toString(2)),
  },
  o: {
    takes: ['int', 'uint'],
    rule: 'octal clause can only be used on integers',
    write: (arg) => wholeOf(arg).toString(8),
  },
  x: hex,
  X: { ...hex, write: (arg) => writeHex(arg).toUpperCase() },
};

/** `'%s is %d'.format([…])`: each clause takes the next argument. */
export function formatText(format: string, args: ListValue, meter: Meter): Result {
  let written = '';
  let next = 0;
  for (const part of partsOf(format, args.size)) {
    if (typeof part === 'string') written += part;
    else if (part instanceof EvalError) return part;
    else {
      const arg = args.items[next++] ?? null;
      const piece = arg instanceof EvalError ? arg : writeClause(part, arg, meter);
      if (piece instanceof EvalError) return piece;
      meter.work(piece.length / 50);
      written += piece;
    }
  }
  return written;
}

/** The compile-time error of formatting arguments of these types, and the offending argument. */
export function checkFormat(
  format: string,
  types: readonly Type[],
): { message: string; argument: number | undefined } | undefined {
  let next = 0;
  for (const part of partsOf(format, types.length)) {
    if (typeof part === 'string') continue;
    if (part instanceof EvalError) return { message: part.message, argument: undefined };
    const type = types[next++];
    if (type === undefined || type.kind === 'dyn' || part.clause.takes.includes(type.kind)) continue;
    return { message: mismatch(part.clause.rule, type.name), argument: next - 1 };
  }
  if (next === types.length) return undefined;
  const message = `too many arguments supplied to string.format (expected ${next}, got ${types.length})`;
  return { message, argument: undefined };
}

interface Part {
  readonly clause: Clause;
  readonly digits: number;
}

/** Parses a format string into literal text and clauses; an error ends it. */
function* partsOf(format: string, count: number): Generator<string | Part | EvalError> {
  let used = 0;
  for (const [piece, precision, letter] of format.matchAll(/[^%]+|%%|%(?:\.(\d*))?([^])?/g)) {
    if (!piece.startsWith('%') || piece === '%%') {
      yield piece === '%%' ? '%' : piece;
      continue;
    }
    if (used++ >= count) return yield new EvalError(`index ${used - 1} out of range`);
    if (piece === '%') return yield new EvalError('unexpected end of string');
    const clause = letter === undefined || !Object.hasOwn(clauses, letter) ? undefined : clauses[letter];
    if (clause === undefined) return yield new EvalError(`could not parse formatting clause: ${unknown(letter)}`);
    yield { clause, digits: Math.min(Number(precision ?? 6), 100) };
  }
}

function unknown(letter: string | undefined): string {
  return letter === undefined
    ? 'error while parsing precision: could not find end of precision specifier'
    : `unrecognized formatting clause "${letter}"`;
}

function mismatch(rule: string, typeName: string): string {
  return `error during formatting: ${rule}, was given ${typeName}`;
}

function writeClause({ clause, digits }: Part, arg: Value, meter: Meter): string | EvalError {
  return clause.takes.includes(kindOf(arg))
    ? clause.write(arg, digits, meter)
    : new EvalError(mismatch(clause.rule, typeNameOf(arg)));
}

function wholeOf(value: Value): bigint {
  return value instanceof Uint ? value.value : (value as bigint);
}

function writeHex(value: Value): string {
  if (typeof value === 'string' || value instanceof Uint8Array) return Buffer.from(value as string).toString('hex');
  return wholeOf(value).toString(16);
}

/** Formats doubles, including NaN and infinities. */
function writeNumber(rule: string, write: (value: number, digits: number) => string): Clause['write'] {
  return (arg, digits) => {
    if (typeof arg === 'number') return write(arg, digits);
    const isNamed = arg === 'NaN' || arg === 'Infinity' || arg === '-Infinity';
    return isNamed ? write(Number(arg), digits) : new EvalError(mismatch(rule, typeNameOf(arg)));
  };
}

/** With thousands separators. */
function writeFixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return writeSpecial(value);
  const [whole = '', fraction] = value.toFixed(digits).split('.');
  const thousands = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? thousands : `${thousands}.${fraction}`;
}

function writeScientific(value: number, digits: number): string {
  if (!Number.isFinite(value)) return writeSpecial(value);
  const [mantissa = '', exponent = '0'] = value.toExponential(digits).split('e');
  const power = `${exponent.startsWith('-') ? '-' : ''}${exponent.slice(1).padStart(2, '0')}`;
  const raised = power.replaceAll(/[-\d]/g, (digit) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(digit)] ?? digit);
  return `${mantissa}\u202F×\u202F10${raised}`;
}

function writeSpecial(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value < 0 ? '-∞' : '∞';
}

function writeString(arg: Value, meter: Meter): string | EvalError {
  meter.work(3);
  if (arg === null) return 'null';
  if (typeof arg === 'string') return arg;
  if (typeof arg === 'boolean' || typeof arg === 'bigint') return String(arg);
  if (typeof arg === 'number') return formatDouble(arg);
  if (arg instanceof Uint) return String(arg.value);
  if (arg instanceof Uint8Array) return Buffer.from(arg).toString();
  if (arg instanceof Timestamp) return formatTimestamp(arg);
  if (arg instanceof Duration) return formatDuration(arg);
  if (arg instanceof TypeValue) return arg.name;
  if (arg instanceof ListValue) return writeList(arg, meter);
  if (arg instanceof MapValue) return writeMap(arg, meter);
  return new EvalError(mismatch(text, typeNameOf(arg)));
}

/** Nested values are formatted as literals. */
function writeNested(value: Result, meter: Meter): string | EvalError {
  if (value instanceof EvalError) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value.toFixed(6) : `"${formatDouble(value)}"`;
  const written = writeString(value, meter);
  if (written instanceof EvalError) return written;
  meter.work(written.length / 50);
  if (typeof value === 'string') return JSON.stringify(written);
  if (value instanceof Uint8Array) return `b${JSON.stringify(written)}`;
  if (value instanceof Timestamp) return `timestamp(${JSON.stringify(written)})`;
  return value instanceof Duration ? `duration(${JSON.stringify(written)})` : written;
}

function writeList(list: ListValue, meter: Meter): string | EvalError {
  const parts: string[] = [];
  for (const item of list.items) {
    const written = writeNested(item, meter);
    if (written instanceof EvalError) return written;
    parts.push(written);
  }
  return `[${parts.join(', ')}]`;
}

function writeMap(map: MapValue, meter: Meter): string | EvalError {
  const parts: [string, string][] = [];
  for (const key of map.keys) {
    const name = writeNested(key, meter);
    const value = writeNested(map.find(key) ?? null, meter);
    if (name instanceof EvalError) return name;
    if (value instanceof EvalError) return value;
    parts.push([name, value]);
  }
  const sorted = parts.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, value]) => `${name}:${value}`).join(', ')}}`;
}
