// SPDX-License-Identifier: Apache-2.0
import { foldCosts } from '../check/fold-costs.ts';
import type { FoldNode } from '../syntax/ast.ts';
import { ListValue } from '../values/list-value.ts';
import { EntryMap, MapValue } from '../values/map-value.ts';
import type { Meter } from '../values/meter.ts';
import { EvalError, type Result, displayValue, type Value } from '../values/value.ts';
import { noOverload } from './evaluate-logic.ts';
import type { Evaluate, Scope } from './scope.ts';

/** A fold over a list or map. */
export function fold(
  { fold: kind, variables }: FoldNode,
  range: Evaluate,
  filter: Evaluate | undefined,
  body: Evaluate,
): Evaluate {
  const { step, skip, end } = foldCosts[kind];
  const bind = variables.length === 2 ? bindTwo(variables) : bindOne(variables);
  return (scope, meter) => {
    const over = range(scope, meter);
    if (!(over instanceof ListValue || over instanceof MapValue)) return noOverload(over);
    meter.charge(end);
    const gather = gatherers[kind]();
    const held = over instanceof ListValue ? over.items : over.keys;
    for (let index = 0; index < held.length; index += 1) {
      const each = held[index] as Result;
      const inner = bind(over, index, each, scope);
      const passes = filter === undefined ? true : filter(inner, meter);
      meter.charge(passes === false ? skip : step);
      if (passes === false) continue;
      const value = passes === true ? body(inner, meter) : noOverload(passes);
      const done = gather.take(value, each as Value, meter);
      if (done !== undefined) return done;
    }
    return gather.result();
  };
}

type Bind = (over: ListValue | MapValue, index: number, held: Result, outer: Scope | undefined) => Scope;

/** The item or the key. */
function bindOne([name = '']: readonly string[]): Bind {
  return (_, __, value, outer) => ({ name, value, outer });
}

/** The index and the item, or the key and the value. */
function bindTwo([first = '', second = '']: readonly string[]): Bind {
  return (over, index, held, outer) => {
    const isList = over instanceof ListValue;
    const scope = { name: first, value: isList ? BigInt(index) : held, outer };
    const value = isList || held instanceof EvalError ? held : (over.find(held) ?? null);
    return { name: second, value, outer: scope };
  };
}

/** Accumulates the result of a fold; any value that `take` returns ends it. */
interface Gatherer {
  take(value: Result, key: Value, meter: Meter): Result | undefined;
  result(): Result;
}

/** `all` and `exists` short-circuit, and ignore errors when another element decides. */
function quantifier(settled: boolean): Gatherer {
  let failed: EvalError | undefined;
  return {
    take(value) {
      if (value === settled) return settled;
      if (typeof value !== 'boolean') failed ??= noOverload(value);
      return undefined;
    },
    result: () => failed ?? !settled,
  };
}

const gatherers: Readonly<Record<FoldNode['fold'], () => Gatherer>> = {
  all: () => quantifier(false),
  exists: () => quantifier(true),
  existsOne: () => {
    let count = 0;
    return {
      take(value) {
        if (typeof value !== 'boolean') return noOverload(value);
        if (value) count++;
        return undefined;
      },
      result: () => count === 1,
    };
  },
  list: () => {
    const items: Value[] = [];
    return {
      take(value) {
        if (value instanceof EvalError) return value;
        items.push(value);
        return undefined;
      },
      result: () => ListValue.of(items),
    };
  },
  map: () => {
    const entries = new EntryMap();
    return { take: (value, key) => insert(entries, key, value), result: () => entries };
  },
  mapEntries: () => {
    const entries = new EntryMap();
    return {
      take(value, _, meter) {
        if (!(value instanceof MapValue)) return noOverload(value);
        meter.work(value.size);
        for (const key of value.keys) {
          const failed = insert(entries, key, value.find(key) ?? null);
          if (failed !== undefined) return failed;
        }
        return undefined;
      },
      result: () => entries,
    };
  },
};

function insert(entries: EntryMap, key: Value, value: Result): EvalError | undefined {
  if (value instanceof EvalError) return value;
  const added = entries.insert(key, value);
  if (added === undefined) return new EvalError('unsupported key type');
  return added ? undefined : new EvalError(`insert failed: key ${displayValue(key)} already exists`);
}
