// SPDX-License-Identifier: Apache-2.0
import type { Overload } from '../library/overload.ts';
import type { Meter } from '../values/meter.ts';
import { dyn } from '../values/type.ts';
import { EvalError, hasType, type Result, sizeOf, type Value } from '../values/value.ts';
import type { Evaluate } from './scope.ts';

/** A lazy call: the first argument decides which others are evaluated. */
export function lazyCall({ choose }: Overload, args: readonly Evaluate[]): Evaluate {
  return (scope, meter) => {
    const first = args[0]?.(scope, meter) ?? null;
    if (first instanceof EvalError) return first;
    const choice = choose?.(first) ?? { value: first };
    return 'value' in choice ? choice.value : (args[choice.argument]?.(scope, meter) ?? null);
  };
}

/** A call of the resolved overload, or with dynamic types of the first one that matches. */
export function call(overloads: readonly Overload[], evaluates: readonly Evaluate[], isCertain: boolean): Evaluate {
  const [only] = overloads;
  const [first, second, third] = evaluates;
  if (isCertain && only !== undefined && first !== undefined && third === undefined) {
    return second === undefined ? unaryCall(only, first) : binaryCall(only, first, second);
  }
  if (first !== undefined && second !== undefined && third === undefined) {
    return dynamicCall(overloads, first, second);
  }
  return (scope, meter) => {
    const args: Value[] = [];
    for (const evaluate of evaluates) {
      const value = evaluate(scope, meter);
      if (value instanceof EvalError) return value;
      args.push(value);
    }
    const overload = isCertain ? only : overloads.find(({ params }) => takes(params, args));
    return overload === undefined ? new EvalError('no such overload') : invoke(overload, args, meter);
  };
}

/** A call with one argument, optimized for unit cost. */
function unaryCall(overload: Overload, evaluate: Evaluate): Evaluate {
  const isSimple = costsOne(overload);
  const run = overload.run as (value: Value, meter: Meter) => Result;
  return (scope, meter) => {
    const value = evaluate(scope, meter);
    if (value instanceof EvalError) return value;
    if (!isSimple || typeof value === 'string') return invoke(overload, [value], meter);
    meter.charge(1);
    return run(value, meter);
  };
}

/** A call with two arguments, optimized for unit cost: most calls are operators. */
function binaryCall(overload: Overload, first: Evaluate, second: Evaluate): Evaluate {
  const isSimple = costsOne(overload);
  const run = overload.run as (left: Value, right: Value, meter: Meter) => Result;
  return (scope, meter) => {
    const left = first(scope, meter);
    if (left instanceof EvalError) return left;
    const right = second(scope, meter);
    if (right instanceof EvalError) return right;
    if (!isSimple || typeof left === 'string') return invoke(overload, [left, right], meter);
    meter.charge(1);
    return run(left, right, meter);
  };
}

/** A call with two arguments of dynamic types: the first overload that matches is called. */
function dynamicCall(overloads: readonly Overload[], first: Evaluate, second: Evaluate): Evaluate {
  const candidates = overloads.map((overload) => ({
    overload,
    left: overload.params[0] ?? dyn,
    right: overload.params[1] ?? dyn,
    isSimple: costsOne(overload),
    run: overload.run as (left: Value, right: Value, meter: Meter) => Result,
  }));
  return (scope, meter) => {
    const left = first(scope, meter);
    if (left instanceof EvalError) return left;
    const right = second(scope, meter);
    if (right instanceof EvalError) return right;
    for (const candidate of candidates) {
      if (!hasType(left, candidate.left) || !hasType(right, candidate.right)) continue;
      if (!candidate.isSimple || right instanceof Uint8Array) return invoke(candidate.overload, [left, right], meter);
      if (typeof left === 'string') meter.work(left.length / 500);
      if (typeof right === 'string') meter.work(right.length / 500);
      meter.charge(1);
      return candidate.run(left, right, meter);
    }
    return new EvalError('no such overload');
  };
}

function costsOne({ cost, actual }: Overload): boolean {
  return cost === undefined && actual === undefined;
}

function takes(params: Overload['params'], args: readonly Value[]): boolean {
  return params.every((type, index) => hasType(args[index] ?? null, type));
}

function invoke({ run, cost, actual }: Overload, args: readonly Value[], meter: Meter): Result {
  // Work on strings is counted by their length, even where Kubernetes counts one unit.
  for (const arg of args) if (typeof arg === 'string' || arg instanceof Uint8Array) meter.work(arg.length / 500);
  if (actual === undefined) meter.charge(cost === undefined ? 1 : cost(...args.map(sizeOf)));
  const result = (run as (...args: unknown[]) => Result)(...args, meter);
  if (actual !== undefined) meter.charge(actual(args, result));
  return result;
}
