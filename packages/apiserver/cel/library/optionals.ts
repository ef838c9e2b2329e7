// SPDX-License-Identifier: Apache-2.0
import { ListValue } from '../values/list-value.ts';
import { bool, listOf, optionalOf, param } from '../values/type.ts';
import {
  Duration,
  EvalError,
  Optional,
  type Result,
  displayValue,
  sizeOf,
  Timestamp,
  Uint,
  type Value,
} from '../values/value.ts';
import { define, defineMember, type Overload } from './overload.ts';

const v = param('V');
const optional = optionalOf(v);

function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0n || value === 0) return true;
  if (typeof value === 'boolean' || typeof value === 'bigint' || typeof value === 'number') return false;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration) return value.nanoseconds === 0n;
  if (value instanceof Timestamp) return false;
  return sizeOf(value) === 0;
}

function valueOf({ value }: Optional): Result {
  return value === undefined ? new EvalError('optional.none() dereference') : value;
}

function at(list: ListValue, index: 0 | -1): Result {
  const item = list.items.at(index);
  if (item === undefined) return Optional.none;
  return item instanceof EvalError ? item : Optional.of(item);
}

function unwrap(list: ListValue): Result {
  const values: Value[] = [];
  for (const item of list.items) {
    if (item instanceof EvalError) return item;
    if (!(item instanceof Optional)) return new EvalError(`value ${displayValue(item)} is not optional`);
    if (item.value !== undefined) values.push(item.value);
  }
  return ListValue.of(values);
}

/** Optional values. */
export const optionals: readonly Overload[] = [
  define('optional.of', [v], optional, (value: Value) => Optional.of(value)),
  define('optional.ofNonZeroValue', [v], optional, (value: Value) =>
    isZero(value) ? Optional.none : Optional.of(value),
  ),
  define('optional.none', [], optional, () => Optional.none),
  defineMember('value', [optional], v, valueOf),
  defineMember('hasValue', [optional], bool, ({ value }: Optional) => value !== undefined),
  {
    name: 'or',
    member: true,
    params: [optional, optional],
    result: optional,
    choose: (first) => ((first as Optional).value === undefined ? { argument: 1 } : { value: first }),
  },
  {
    name: 'orValue',
    member: true,
    params: [optional, v],
    result: v,
    choose: (first) => {
      const { value } = first as Optional;
      return value === undefined ? { argument: 1 } : { value };
    },
  },
  defineMember('first', [listOf(v)], optional, (list: ListValue) => at(list, 0)),
  defineMember('last', [listOf(v)], optional, (list: ListValue) => at(list, -1)),
  define('optional.unwrap', [listOf(optional)], listOf(v), unwrap),
  defineMember('unwrapOpt', [listOf(optional)], listOf(v), unwrap),
];
