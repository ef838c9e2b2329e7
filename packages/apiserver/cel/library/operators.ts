// SPDX-License-Identifier: Apache-2.0
import { compare } from '../values/compare.ts';
import { equal, contains } from '../values/equal.ts';
import { joinLists } from '../values/join-lists.ts';
import type { ListValue } from '../values/list-value.ts';
import type { MapValue } from '../values/map-value.ts';
import type { Meter } from '../values/meter.ts';
import { earliest, latest } from '../values/timestamp-text.ts';
import {
  bool,
  bytes,
  double,
  duration,
  int,
  isOptional,
  listOf,
  mapOf,
  optionalOf,
  param,
  string,
  timestamp,
  type Type,
  uint,
} from '../values/type.ts';
import {
  Duration,
  EvalError,
  Opaque,
  Optional,
  type Result,
  displayValue,
  sizeOf,
  Timestamp,
  Uint,
  type Value,
} from '../values/value.ts';
import { define, type Argument, type CallEstimate, type Overload, traverse } from './overload.ts';

const a = param('A');
const b = param('B');

function whole(value: bigint): Result {
  return BigInt.asIntN(64, value) === value ? value : new EvalError('integer overflow');
}

function unsigned(value: bigint): Result {
  return BigInt.asUintN(64, value) === value ? new Uint(value) : new EvalError('unsigned integer overflow');
}

function span(nanoseconds: bigint): Result {
  return BigInt.asIntN(64, nanoseconds) === nanoseconds
    ? new Duration(nanoseconds)
    : new EvalError('duration overflow');
}

function moment(nanoseconds: bigint, { offset }: Timestamp): Result {
  return nanoseconds < earliest || nanoseconds > latest
    ? new EvalError('timestamp overflow')
    : new Timestamp(nanoseconds, offset);
}

/** Concatenation: costs the size of both operands. */
const joining = {
  cost: (left: number, right: number) => traverse(left + right),
  estimate: ({ size: left }: Argument, { size: right }: Argument): CallEstimate => ({
    size: { min: left.min + right.min, max: left.max + right.max },
  }),
};

const arithmetic: readonly Overload[] = [
  define('_+_', [int, int], int, (x: bigint, y: bigint) => whole(x + y)),
  define('_+_', [uint, uint], uint, (x: Uint, y: Uint) => unsigned(x.value + y.value)),
  define('_+_', [double, double], double, (x: number, y: number) => x + y),
  define('_+_', [string, string], string, (x: string, y: string) => x + y, joining),
  define('_+_', [bytes, bytes], bytes, (x: Uint8Array, y: Uint8Array) => Buffer.concat([x, y]), joining),
  define('_+_', [listOf(a), listOf(a)], listOf(a), joinLists, { ...joining, cost: () => 1 }),
  define('_+_', [duration, duration], duration, (x: Duration, y: Duration) => span(x.nanoseconds + y.nanoseconds)),
  define('_+_', [duration, timestamp], timestamp, (x: Duration, y: Timestamp) =>
    moment(x.nanoseconds + y.nanoseconds, y),
  ),
  define('_+_', [timestamp, duration], timestamp, (x: Timestamp, y: Duration) =>
    moment(x.nanoseconds + y.nanoseconds, x),
  ),
  define('_-_', [int, int], int, (x: bigint, y: bigint) => whole(x - y)),
  define('_-_', [uint, uint], uint, (x: Uint, y: Uint) => unsigned(x.value - y.value)),
  define('_-_', [double, double], double, (x: number, y: number) => x - y),
  define('_-_', [duration, duration], duration, (x: Duration, y: Duration) => span(x.nanoseconds - y.nanoseconds)),
  define('_-_', [timestamp, duration], timestamp, (x: Timestamp, y: Duration) =>
    moment(x.nanoseconds - y.nanoseconds, x),
  ),
  define('_-_', [timestamp, timestamp], duration, (x: Timestamp, y: Timestamp) => span(x.nanoseconds - y.nanoseconds)),
  define('_*_', [int, int], int, (x: bigint, y: bigint) => whole(x * y)),
  define('_*_', [uint, uint], uint, (x: Uint, y: Uint) => unsigned(x.value * y.value)),
  define('_*_', [double, double], double, (x: number, y: number) => x * y),
  define('_/_', [int, int], int, (x: bigint, y: bigint) => (y === 0n ? divisionByZero : whole(x / y))),
  define('_/_', [uint, uint], uint, (x: Uint, y: Uint) =>
    y.value === 0n ? divisionByZero : unsigned(x.value / y.value),
  ),
  define('_/_', [double, double], double, (x: number, y: number) => x / y),
  define('_%_', [int, int], int, (x: bigint, y: bigint) => (y === 0n ? modulusByZero : whole(x % y))),
  define('_%_', [uint, uint], uint, (x: Uint, y: Uint) =>
    y.value === 0n ? modulusByZero : unsigned(x.value % y.value),
  ),
  define('-_', [int], int, (x: bigint) => whole(-x)),
  define('-_', [double], double, (x: number) => -x),
];

const divisionByZero = new EvalError('division by zero');
const modulusByZero = new EvalError('modulus by zero');

const numbers = [int, uint, double];
const ordered: readonly (readonly [Type, Type])[] = [
  ...numbers.flatMap((left) => numbers.map((right): [Type, Type] => [left, right])),
  ...[bool, string, bytes, timestamp, duration].map((type): [Type, Type] => [type, type]),
];

/** Comparison: costs the size of the shorter operand. */
const comparing = { cost: (left: number, right: number) => traverse(Math.min(left, right)) };

/** Library values are small. */
function equalityEstimate(left: Type, right: Type, size: number): CallEstimate {
  if (left.kind !== 'opaque' || isOptional(left) || left.name !== right.name) return {};
  if (left.name === 'kubernetes.NamedFormat') return { cost: traverse(64) };
  return { cost: left.name === 'kubernetes.URL' && Number.isFinite(size) ? traverse(size) : 1 };
}

function ordering(name: string, holds: (order: number) => boolean): Overload[] {
  const run = (x: Value, y: Value): Result => {
    const order = compare(x, y);
    return order instanceof EvalError ? order : holds(order);
  };
  return ordered.map((params) =>
    define(name, params, bool, run, params[0] === string || params[0] === bytes ? comparing : {}),
  );
}

const relations: readonly Overload[] = [
  ...ordering('_<_', (order) => order < 0),
  ...ordering('_<=_', (order) => order <= 0),
  ...ordering('_>_', (order) => order > 0),
  ...ordering('_>=_', (order) => order >= 0),
  define('_==_', [a, a], bool, (x: Value, y: Value, meter: Meter) => equal(x, y, meter), {
    cost: (left, right) => traverse(Math.min(left, right)),
    actual: ([left, right]) =>
      left instanceof Opaque ? 1 : comparing.cost(sizeOf(left ?? null), sizeOf(right ?? null)),
    estimate: ({ type: left }, { type: right, size }) => equalityEstimate(left, right, size.max),
  }),
  define(
    '_!=_',
    [a, a],
    bool,
    (x: Value, y: Value, meter: Meter) => {
      const same = equal(x, y, meter);
      return same instanceof EvalError ? same : !same;
    },
    comparing,
  ),
  define('@in', [a, listOf(a)], bool, (item: Value, list: ListValue, meter: Meter) => contains(list, item, meter), {
    cost: (_, size) => size,
  }),
  define('@in', [a, mapOf(a, b)], bool, (key: Value, map: MapValue) => {
    const found = map.find(key);
    return found instanceof EvalError ? found : found !== undefined;
  }),
  define('!_', [bool], bool, (x: boolean) => !x),
  {
    name: '_?_:_',
    member: false,
    params: [bool, a, a],
    result: a,
    choose: (condition) => ({ argument: condition === true ? 1 : 2 }),
  },
];

function itemAt(list: ListValue, index: bigint): Result {
  const found = itemIn(list, index);
  return found === undefined ? new EvalError(`index out of bounds: ${index}`) : found;
}

function itemIn({ size, items }: ListValue, index: bigint): Result | undefined {
  return index >= 0n && index < size ? items[Number(index)] : undefined;
}

function entryOf(map: MapValue, key: Value): Result {
  const found = map.find(key);
  return found === undefined ? new EvalError(`no such key: ${displayValue(key)}`) : found;
}

/** An optional lookup: a missing value is no error. */
function maybe(found: Result | undefined): Result {
  if (found instanceof EvalError) return found;
  return found === undefined ? Optional.none : Optional.of(found);
}

const maybeItem = (list: ListValue, index: bigint): Result => maybe(itemIn(list, index));
const maybeEntry = (map: MapValue, key: Value): Result => maybe(map.find(key));

function inside(find: (container: never, key: never) => Result) {
  return (container: Optional, key: Value): Result =>
    container.value === undefined ? container : find(container.value as never, key as never);
}

const lookups: readonly Overload[] = [
  define('_[_]', [listOf(a), int], a, itemAt),
  define('_[_]', [mapOf(a, b), a], b, entryOf),
  define('_[_]', [optionalOf(listOf(a)), int], optionalOf(a), inside(maybeItem)),
  define('_[_]', [optionalOf(mapOf(a, b)), a], optionalOf(b), inside(maybeEntry)),
  define('_[?_]', [listOf(a), int], optionalOf(a), maybeItem),
  define('_[?_]', [mapOf(a, b), a], optionalOf(b), maybeEntry),
  define('_[?_]', [optionalOf(listOf(a)), int], optionalOf(a), inside(maybeItem)),
  define('_[?_]', [optionalOf(mapOf(a, b)), a], optionalOf(b), inside(maybeEntry)),
];

/** Operators: arithmetic, comparison and indexing. */
export const operators: readonly Overload[] = [...arithmetic, ...relations, ...lookups];
