// SPDX-License-Identifier: Apache-2.0
import { ListValue } from '../values/list-value.ts';
import { EntryMap } from '../values/map-value.ts';
import { EvalError, Optional, displayValue, type Value } from '../values/value.ts';
import type { Evaluate } from './scope.ts';

/** A list literal; absent optional items are omitted. */
export function list(items: readonly { evaluate: Evaluate; optional: boolean }[]): Evaluate {
  return (scope, meter) => {
    meter.charge(10);
    const values: Value[] = [];
    for (const { evaluate, optional } of items) {
      const value = evaluate(scope, meter);
      if (value instanceof EvalError) return value;
      if (!optional) values.push(value);
      else if (!(value instanceof Optional)) return notOptional('list element', value);
      else if (value.value !== undefined) values.push(value.value);
    }
    return ListValue.of(values);
  };
}

/** A map literal. */
export function map(entries: readonly { key: Evaluate; value: Evaluate; optional: boolean }[]): Evaluate {
  return (scope, meter) => {
    meter.charge(30);
    const made = new EntryMap();
    for (const entry of entries) {
      const key = entry.key(scope, meter);
      if (key instanceof EvalError) return key;
      const whole = entry.value(scope, meter);
      if (whole instanceof EvalError) return whole;
      if (entry.optional && !(whole instanceof Optional)) return notOptional(`entry '${displayValue(key)}'`, whole);
      const value = entry.optional && whole instanceof Optional ? whole.value : whole;
      if (value === undefined) continue;
      const added = made.insert(key, value);
      if (added === undefined) return new EvalError('unsupported key type');
      if (!added) return new EvalError('Failed with repeated key');
    }
    return made;
  };
}

function notOptional(what: string, value: Value): EvalError {
  return new EvalError(`cannot initialize optional ${what} from non-optional value ${displayValue(value)}`);
}
