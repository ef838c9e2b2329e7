// SPDX-License-Identifier: Apache-2.0
import { fieldOf } from '@forge/kube/objects/json.ts';
import { formatDouble } from '../values/double-text.ts';
import { formatDuration, parseDuration } from '../values/duration-text.ts';
import type { ListValue } from '../values/list-value.ts';
import type { MapValue } from '../values/map-value.ts';
import { earliest, formatTimestamp, latest, parseTimestamp } from '../values/timestamp-text.ts';
import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  int,
  listOf,
  mapOf,
  param,
  string,
  timestamp,
  type Type,
  typeOf,
  uint,
} from '../values/type.ts';
import {
  Duration,
  EvalError,
  type Result,
  sizeOf,
  Timestamp,
  typeNameOf,
  TypeValue,
  Uint,
  type Value,
} from '../values/value.ts';
import { define, defineMember, type Overload, traverse } from './overload.ts';

const a = param('A');
const same = (value: Value): Value => value;

/** A conversion from string by a parser that returns undefined for invalid input. */
function reading(name: string, type: Type, parse: (text: string) => Result | undefined, typeName = name): Overload {
  const failed = new EvalError(`type conversion error from 'string' to '${typeName}'`);
  return define(name, [string], type, (text: string) => parse(text) ?? failed);
}

function wholeNumber(text: string, pattern: RegExp, wrap: (value: bigint) => bigint): bigint | undefined {
  if (text.length > 30 || !pattern.test(text)) return undefined;
  const value = BigInt(text.replace('+', ''));
  return wrap(value) === value ? value : undefined;
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function parseDouble(text: string): number | undefined {
  if (/^[+-]?inf(?:inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return NaN;
  const value = decimal.test(text) ? Number(text) : NaN;
  return Number.isFinite(value) ? value : undefined;
}

const booleanTexts: Readonly<Record<string, boolean>> = Object.fromEntries([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((text): [string, boolean] => [text, true]),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text): [string, boolean] => [text, false]),
]);

function fromDouble(value: number, unsigned: boolean): Result {
  const limit = 2 ** (unsigned ? 64 : 63);
  const fits = unsigned ? value >= 0 && value < limit : value > -limit && value < limit;
  if (!fits) return new EvalError(`${unsigned ? 'unsigned ' : ''}integer overflow`);
  const whole = BigInt(Math.trunc(value));
  return unsigned ? new Uint(whole) : whole;
}

const signed = (value: bigint): bigint => BigInt.asIntN(64, value);
const unsigned = (value: bigint): bigint => BigInt.asUintN(64, value);

function decodeText(value: Uint8Array): Result {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    return new EvalError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

function momentOf(seconds: bigint): Result {
  const nanoseconds = seconds * 1_000_000_000n;
  return nanoseconds < earliest || nanoseconds > latest
    ? new EvalError('timestamp overflow')
    : new Timestamp(nanoseconds);
}

/** Type conversions, `size` and `type`. */
export const conversions: readonly Overload[] = [
  ...[string, bytes, listOf(a), mapOf(a, param('B'))].flatMap((type) => [
    define('size', [type], int, (value: string | Uint8Array | ListValue | MapValue) => BigInt(sizeOf(value))),
    defineMember('size', [type], int, (value: string | Uint8Array | ListValue | MapValue) => BigInt(sizeOf(value))),
  ]),
  define('type', [a], typeOf(a), (value: Value) => new TypeValue(typeNameOf(value))),
  define('dyn', [a], dyn, same, { estimate: ({ size }) => ({ size }) }),
  define('bool', [bool], bool, same),
  reading('bool', bool, (text) => fieldOf(booleanTexts, text)),
  define('bytes', [bytes], bytes, same),
  define('bytes', [string], bytes, (text: string) => Buffer.from(text), {
    cost: traverse,
    estimate: ({ size: { min, max } }) => ({ size: { min, max: max * 4 } }),
  }),
  define('double', [double], double, same),
  define('double', [int], double, (value: bigint) => Number(value)),
  define('double', [uint], double, (value: Uint) => Number(value.value)),
  reading('double', double, parseDouble),
  define('duration', [duration], duration, same),
  define('duration', [int], duration, (value: bigint) => new Duration(value)),
  reading('duration', duration, parseDuration, 'google.protobuf.Duration'),
  define('int', [int], int, same),
  define('int', [double], int, (value: number) => fromDouble(value, false)),
  define('int', [duration], int, (value: Duration) => value.nanoseconds),
  reading('int', int, (text) => wholeNumber(text, /^[+-]?\d+$/, signed)),
  define('int', [timestamp], int, (value: Timestamp) => secondsOf(value)),
  define('int', [uint], int, (value: Uint) =>
    signed(value.value) === value.value ? value.value : new EvalError('integer overflow'),
  ),
  define('string', [string], string, same),
  define('string', [bool], string, String),
  define('string', [bytes], string, decodeText, {
    cost: traverse,
    estimate: ({ size: { min, max } }) => ({ size: { min: Math.floor(min / 4), max } }),
  }),
  define('string', [double], string, formatDouble),
  define('string', [duration], string, formatDuration),
  define('string', [int], string, String),
  define('string', [timestamp], string, formatTimestamp),
  define('string', [uint], string, (value: Uint) => String(value.value)),
  define('timestamp', [timestamp], timestamp, same),
  define('timestamp', [int], timestamp, momentOf),
  reading('timestamp', timestamp, parseTimestamp, 'google.protobuf.Timestamp'),
  define('uint', [uint], uint, same),
  define('uint', [double], uint, (value: number) => fromDouble(value, true)),
  define('uint', [int], uint, (value: bigint) =>
    value < 0n ? new EvalError('unsigned integer overflow') : new Uint(value),
  ),
  reading('uint', uint, (text) => {
    const value = wholeNumber(text, /^\d+$/, unsigned);
    return value === undefined ? undefined : new Uint(value);
  }),
];

/** Seconds since the epoch, rounded down. */
function secondsOf({ nanoseconds }: Timestamp): bigint {
  const rest = ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  return (nanoseconds - rest) / 1_000_000_000n;
}
