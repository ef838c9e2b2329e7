// SPDX-License-Identifier: Apache-2.0
import { compareNumbers, isNumber } from './compare.ts';
import { undeclaredEqual } from './data-value.ts';
import type { ListValue } from './list-value.ts';
import { MapValue } from './map-value.ts';
import type { Meter } from './meter.ts';
import {
  Duration,
  EvalError,
  kindOf,
  Opaque,
  Optional,
  type Result,
  displayValue,
  Timestamp,
  TypeValue,
  type Value,
} from './value.ts';

/** Equality of values; different types are unequal, except for numbers. */
export function equal(a: Result, b: Result, meter: Meter): boolean | EvalError {
  meter.work(1);
  if (a instanceof EvalError) return a;
  if (b instanceof EvalError) return b;
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b) === 0;
  const kind = kindOf(a);
  if (kind !== kindOf(b)) return false;
  if (typeof a === 'string' || typeof a === 'boolean' || a === null) {
    if (typeof a === 'string') meter.work(a.length / 1000);
    return a === b;
  }
  if (a instanceof Uint8Array) return Buffer.compare(a, b as Uint8Array) === 0;
  if (a instanceof Timestamp) return a.nanoseconds === (b as Timestamp).nanoseconds;
  if (a instanceof Duration) return a.nanoseconds === (b as Duration).nanoseconds;
  if (a instanceof TypeValue) return a.name === (b as TypeValue).name;
  if (a instanceof Optional) {
    if (!(b instanceof Optional) || a.value === undefined || b.value === undefined) {
      return b instanceof Optional && a.value === b.value;
    }
    return equal(a.value, b.value, meter);
  }
  if (a instanceof Opaque) return b instanceof Opaque && a.type.name === b.type.name && a.equals(b);
  return a instanceof MapValue ? equalMaps(a, b as MapValue, meter) : equalLists(a as ListValue, b as ListValue, meter);
}

/** Whether a list contains an equal item; an error counts only when none is equal. */
export function contains(list: ListValue, item: Value, meter: Meter): boolean | EvalError {
  let failed: EvalError | undefined;
  for (const each of list.items) {
    const same = equal(each, item, meter);
    if (same === true) return true;
    if (same instanceof EvalError) failed ??= same;
  }
  return failed ?? false;
}

/** The identity of an item in a set or map list. */
export function identityIn({ listKind }: ListValue, item: Result): string {
  if (listKind.type !== 'map') return scalar(item);
  return JSON.stringify(listKind.keys.map((key) => (item instanceof MapValue ? scalar(item.find(key)) : '')));
}

function scalar(value: Result | undefined): string {
  if (value instanceof Timestamp || value instanceof Duration) return `time ${value.nanoseconds}`;
  return value instanceof EvalError || value === undefined ? '' : `${kindOf(value)} ${displayValue(value)}`;
}

function equalLists(a: ListValue, b: ListValue, meter: Meter): boolean | EvalError {
  if (a.size !== b.size) return false;
  if (a.listKind.type === 'atomic') {
    for (const [index, item] of a.items.entries()) {
      const same = equal(item, b.items[index] ?? null, meter);
      if (same !== true) return same;
    }
    return true;
  }
  meter.work(a.size * 5);
  const own = new Map(a.items.map((item) => [identityIn(a, item), item]));
  for (const item of b.items) {
    const counterpart = own.get(identityIn(a, item));
    if (counterpart === undefined) return false;
    const same = equal(counterpart, item, meter);
    if (same !== true) return same;
  }
  return true;
}

function equalMaps(a: MapValue, b: MapValue, meter: Meter): boolean | EvalError {
  if (a.size !== b.size) return false;
  meter.work(a.size);
  for (const key of a.keys) {
    const own = a.find(key);
    const other = b.find(key);
    if (own === undefined && other === undefined) continue;
    if (own === undefined || other === undefined) return false;
    const same = equal(own, other, meter);
    if (same !== true) return same;
  }
  return undeclaredEqual(a, b);
}
