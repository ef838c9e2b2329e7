// SPDX-License-Identifier: Apache-2.0
import { contains } from '../values/equal.ts';
import type { ListValue } from '../values/list-value.ts';
import type { Meter } from '../values/meter.ts';
import { bool, listOf, param } from '../values/type.ts';
import { EvalError, type Result } from '../values/value.ts';
import { define, type Overload, product } from './overload.ts';

const list = listOf(param('T'));

function containsAll(outer: ListValue, inner: ListValue, meter: Meter): Result {
  for (const item of inner.items) {
    const found = item instanceof EvalError ? item : contains(outer, item, meter);
    if (found !== true) return found;
  }
  return true;
}

function equivalent(left: ListValue, right: ListValue, meter: Meter): Result {
  const forth = containsAll(left, right, meter);
  return forth === true ? containsAll(right, left, meter) : forth;
}

function intersects(left: ListValue, right: ListValue, meter: Meter): Result {
  return left.items.some((item) => !(item instanceof EvalError) && contains(right, item, meter) === true);
}

function comparing(times: number) {
  return { cost: (left: number, right: number) => 1 + Math.ceil(product(left, right) * times) };
}

/** The sets library. */
export const sets: readonly Overload[] = [
  define('sets.contains', [list, list], bool, containsAll, comparing(1)),
  define('sets.equivalent', [list, list], bool, equivalent, comparing(2)),
  define('sets.intersects', [list, list], bool, intersects, comparing(1)),
];
