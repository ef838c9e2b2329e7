// SPDX-License-Identifier: Apache-2.0
import { compare } from '../values/compare.ts';
import { equal } from '../values/equal.ts';
import { ListValue } from '../values/list-value.ts';
import { MapValue } from '../values/map-value.ts';
import type { Meter } from '../values/meter.ts';
import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  int,
  listOf,
  param,
  string,
  timestamp,
  type Type,
  uint,
} from '../values/type.ts';
import { Duration, EvalError, kindOf, type Result, Uint, type Value } from '../values/value.ts';
import { operators } from './operators.ts';
import {
  type Argument,
  type CallEstimate,
  define,
  defineMember,
  type Overload,
  product,
  traverse,
} from './overload.ts';

const a = param('A');
const comparable = [int, uint, double, bool, duration, timestamp, string, bytes];

/** The cost of traversing a value. */
function depth(value: Result, meter: Meter): number {
  meter.work(1);
  if (typeof value === 'string') return Math.floor(value.length * 0.1);
  if (value instanceof Uint8Array) return Math.floor(value.length * 0.1);
  if (value instanceof ListValue) return value.items.reduce<number>((total, item) => total + depth(item, meter), 0);
  if (!(value instanceof MapValue)) return 1;
  return value.keys.reduce<number>(
    (total, key) => total + depth(key, meter) + depth(value.find(key) ?? null, meter),
    0,
  );
}

/** Traverses a list, charged for its contents. */
function over<Rest extends unknown[]>(run: (list: ListValue, ...rest: Rest) => Result) {
  return (list: ListValue, ...rest: Rest): Result => {
    const meter = rest.at(-1) as Meter;
    meter.charge(depth(list, meter));
    return run(list, ...rest);
  };
}

/** One unit per item, more for comparing strings; charged at run time. */
const overItems = {
  actual: () => 0,
  estimate: ({ size, itemSize, type }: Argument): CallEstimate => {
    const item = type.params[0]?.kind;
    return { cost: product(size.max, 1 + (item === 'string' || item === 'bytes' ? traverse(itemSize.max) : 0)) };
  },
};

function isSorted({ items }: ListValue): Result {
  for (let index = 1; index < items.length; index++) {
    const order = orderOf(items[index - 1], items[index]);
    if (order instanceof EvalError) return order;
    if (order > 0) return false;
  }
  return true;
}

function orderOf(left: Result | undefined, right: Result | undefined): number | EvalError {
  if (left instanceof EvalError) return left;
  if (right instanceof EvalError) return right;
  return compare(left ?? null, right ?? null);
}

function extreme(name: string, sign: 1 | -1) {
  return ({ items }: ListValue): Result => {
    let best = items[0];
    if (best === undefined) return new EvalError(`${name} called on empty list`);
    for (const item of items) {
      const order = orderOf(item, best);
      if (order instanceof EvalError) return order;
      if (order * sign > 0) best = item;
    }
    return best;
  };
}

const zeros: readonly (readonly [Type, Value])[] = [
  [int, 0n],
  [uint, new Uint(0n)],
  [double, 0],
  [duration, new Duration(0n)],
];

function sum(type: Type, zero: Value) {
  const add = operators.find(({ name, params }) => name === '_+_' && params.every((each) => each === type));
  const plus = add?.run as unknown as (left: Value, right: Value) => Result;
  return ({ items }: ListValue): Result => {
    let total: Result = zero;
    for (const item of items) {
      if (item instanceof EvalError) return item;
      total = plus(total, item);
      if (total instanceof EvalError) return total;
    }
    return total;
  };
}

function indexOf({ items }: ListValue, wanted: Value, meter: Meter): Result {
  return BigInt(items.findIndex((item) => equal(item, wanted, meter) === true));
}

function lastIndexOf({ items }: ListValue, wanted: Value, meter: Meter): Result {
  return BigInt(items.findLastIndex((item) => equal(item, wanted, meter) === true));
}

/** A call and a new list. */
const newListCost = 11;

const newListEstimate = (factor: number, size: number): CallEstimate => ({
  cost: Math.ceil(product(factor, size)) + newListCost,
  size: { min: size, max: size },
});

function slice({ size, items }: ListValue, start: bigint, end: bigint): Result {
  const asked = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return new EvalError(`${asked}, negative indexes not supported`);
  if (start > end) return new EvalError(`${asked}, start index must be less than or equal to end index`);
  if (end > size) return new EvalError(`${asked}, list is length ${size}`);
  return ListValue.of(items.slice(Number(start), Number(end)));
}

function flatten(list: ListValue, levels: bigint, meter: Meter): Result {
  if (levels < 0n) return new EvalError('level must be non-negative');
  const flat: Result[] = [];
  const add = ({ items }: ListValue, left: bigint): void => {
    meter.work(items.length / 2 + 1);
    for (const item of items) {
      if (item instanceof ListValue && left > 0n) add(item, left - 1n);
      else flat.push(item);
    }
  };
  add(list, levels);
  return ListValue.of(flat);
}

function range(count: bigint, meter: Meter): Result {
  const length = count < 0n ? 0 : Number(count);
  meter.charge(length);
  return ListValue.of(Array.from({ length }, (_, index) => BigInt(index)));
}

/** Quadratic cost, as Kubernetes estimates sorting and deduplication. */
function squared({ size, items }: ListValue): number {
  const first = items[0];
  return Math.floor(size * size * (typeof first === 'string' || first instanceof Uint8Array ? 2.1 : 2)) + newListCost;
}

function squaredEstimate({ size }: Argument, factor = 2): CallEstimate {
  const square = { min: size.min ** 2, max: size.max ** 2 };
  return { cost: Math.ceil(square.max * factor) + newListCost, size: square };
}

function sortEstimate(keys: Argument): CallEstimate {
  const key = keys.type.params[0]?.kind;
  return squaredEstimate(keys, key === 'string' || key === 'bytes' ? 2.1 : 2);
}

function distinct(list: ListValue, meter: Meter): Result {
  meter.charge(squared(list));
  const kept: Result[] = [];
  for (const item of list.items) {
    if (!kept.some((other) => equal(item, other, meter) === true)) kept.push(item);
  }
  return ListValue.of(kept);
}

function sortByKeys(list: ListValue, keys: ListValue, meter: Meter): Result {
  meter.charge(squared(keys));
  const kinds = new Set(keys.items.map((key) => (key instanceof EvalError ? key.message : kindOf(key))));
  if (kinds.size > 1) return new EvalError('list elements must have the same type');
  const failed = keys.items.find((key) => key instanceof EvalError);
  if (failed !== undefined) return failed;
  const order = keys.items.map((key, index) => ({ key, index }));
  const sorted = order.toSorted(({ key: left }, { key: right }) => {
    const compared = orderOf(left, right);
    return compared instanceof EvalError ? 0 : compared;
  });
  return ListValue.of(sorted.map(({ index }) => list.items[index] ?? null));
}

/** List functions: Kubernetes' own, and version 3 of the CEL extension. */
export const lists: readonly Overload[] = [
  ...comparable.flatMap((type) => [
    defineMember('isSorted', [listOf(type)], bool, over(isSorted), overItems),
    defineMember('min', [listOf(type)], type, over(extreme('min', -1)), overItems),
    defineMember('max', [listOf(type)], type, over(extreme('max', 1)), overItems),
    defineMember(
      'sort',
      [listOf(type)],
      listOf(type),
      (list: ListValue, meter: Meter) => sortByKeys(list, list, meter),
      { actual: () => 0, estimate: sortEstimate },
    ),
    defineMember('@sortByAssociatedKeys', [listOf(a), listOf(type)], listOf(a), sortByKeys, {
      actual: () => 0,
      estimate: (_, keys) => sortEstimate(keys),
    }),
  ]),
  ...zeros.map(([type, zero]) => defineMember('sum', [listOf(type)], type, over(sum(type, zero)), overItems)),
  defineMember('indexOf', [listOf(a), a], int, over(indexOf), overItems),
  defineMember('lastIndexOf', [listOf(a), a], int, over(lastIndexOf), overItems),
  defineMember('slice', [listOf(a), int, int], listOf(a), slice, {
    actual: (_, result) => (result instanceof ListValue ? result.size : 0) + newListCost,
    estimate: ({ size }, start, end) =>
      newListEstimate(1, Math.max((end.literal ?? size.max) - Math.max(start.literal ?? 0, 0), 0)),
  }),
  defineMember('flatten', [listOf(listOf(a))], listOf(a), (list: ListValue, meter: Meter) => flatten(list, 1n, meter), {
    cost: (size) => size + newListCost,
    estimate: ({ size }) => ({ size }),
  }),
  defineMember('flatten', [listOf(dyn), int], listOf(dyn), flatten, {
    actual: ([list, levels]) => (list as ListValue).size * Math.max(Number(levels), 0) + newListCost,
    estimate: ({ size }, levels) => ({ ...newListEstimate(Math.max(levels.literal ?? Infinity, 0), size.max), size }),
  }),
  define('lists.range', [int], listOf(int), range, {
    actual: () => newListCost,
    estimate: (count) => newListEstimate(1, Math.max(count.literal ?? Infinity, 0)),
  }),
  defineMember('reverse', [listOf(a)], listOf(a), ({ items }: ListValue) => ListValue.of(items.toReversed()), {
    cost: (size) => size + newListCost,
    estimate: ({ size }) => ({ size }),
  }),
  defineMember('distinct', [listOf(a)], listOf(a), distinct, {
    actual: () => 0,
    estimate: (list) => squaredEstimate(list),
  }),
];
