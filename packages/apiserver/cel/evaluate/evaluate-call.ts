// SPDX-License-Identifier: Apache-2.0
import type { Overload } from '../library/overload.ts';
import type { Meter } from '../values/meter.ts';
import { dyn } from '../values/type.ts';
import { EvalError, hasType, isOfKind, kindOf, type Result, sizeOf, type Value } from '../values/value.ts';
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
  if (first !== undefined && third === undefined) {
    return second === undefined ? dynamicUnaryCall(overloads, first) : dynamicCall(overloads, first, second);
  }
  return (scope, meter) => {
    const args: Value[] = [];
    for (const evaluate of evaluates) {
      const value = evaluate(scope, meter);
      if (value instanceof EvalError) return value;
      args.push(value);
    }
    const overload = isCertain ? only : overloads.find(({ params }) => takes(params, args));
    return overload === undefined ? new EvalError('no such overload') : callAny(overload, args, meter);
  };
}

/** A call with one argument. */
function unaryCall(overload: Overload, evaluate: Evaluate): Evaluate {
  const invoke = unary(overload);
  return (scope, meter) => {
    const value = evaluate(scope, meter);
    return value instanceof EvalError ? value : invoke(value, meter);
  };
}

/** A call with two arguments: most calls are operators. */
function binaryCall(overload: Overload, first: Evaluate, second: Evaluate): Evaluate {
  const invoke = binary(overload);
  return (scope, meter) => {
    const left = first(scope, meter);
    if (left instanceof EvalError) return left;
    const right = second(scope, meter);
    return right instanceof EvalError ? right : invoke(left, right, meter);
  };
}

/** A call with one argument of dynamic type: the first overload that matches is called. */
function dynamicUnaryCall(overloads: readonly Overload[], evaluate: Evaluate): Evaluate {
  const candidates = overloads.map((overload) => ({ param: overload.params[0] ?? dyn, invoke: unary(overload) }));
  return (scope, meter) => {
    const value = evaluate(scope, meter);
    if (value instanceof EvalError) return value;
    const kind = kindOf(value);
    for (const { param, invoke } of candidates) if (isOfKind(value, kind, param)) return invoke(value, meter);
    return new EvalError('no such overload');
  };
}

/** A call with two arguments of dynamic types: the first overload that matches is called. */
function dynamicCall(overloads: readonly Overload[], first: Evaluate, second: Evaluate): Evaluate {
  const candidates = overloads.map((overload) => ({
    left: overload.params[0] ?? dyn,
    right: overload.params[1] ?? dyn,
    invoke: binary(overload),
  }));
  return (scope, meter) => {
    const left = first(scope, meter);
    if (left instanceof EvalError) return left;
    const right = second(scope, meter);
    if (right instanceof EvalError) return right;
    const kind = kindOf(left);
    const other = kindOf(right);
    for (const candidate of candidates) {
      if (!isOfKind(left, kind, candidate.left) || !isOfKind(right, other, candidate.right)) continue;
      return candidate.invoke(left, right, meter);
    }
    return new EvalError('no such overload');
  };
}

/** An overload with one parameter, charged. */
function unary({ run: untyped, cost, actual }: Overload): (value: Value, meter: Meter) => Result {
  const run = untyped as (value: Value, meter: Meter) => Result;
  if (actual !== undefined) {
    return (value, meter) => {
      countText(value, meter);
      const result = run(value, meter);
      meter.charge(actual([value], result));
      return result;
    };
  }
  return (value, meter) => {
    countText(value, meter);
    meter.charge(cost === undefined ? 1 : cost(sizeOf(value)));
    return run(value, meter);
  };
}

/** An overload with two parameters, charged. */
function binary({ run: untyped, cost, actual }: Overload): (left: Value, right: Value, meter: Meter) => Result {
  const run = untyped as (left: Value, right: Value, meter: Meter) => Result;
  if (actual !== undefined) {
    return (left, right, meter) => {
      countText(left, meter);
      countText(right, meter);
      const result = run(left, right, meter);
      meter.charge(actual([left, right], result));
      return result;
    };
  }
  return (left, right, meter) => {
    countText(left, meter);
    countText(right, meter);
    meter.charge(cost === undefined ? 1 : cost(sizeOf(left), sizeOf(right)));
    return run(left, right, meter);
  };
}

function takes(params: Overload['params'], args: readonly Value[]): boolean {
  return params.every((type, index) => hasType(args[index] ?? null, type));
}

function callAny({ run, cost, actual }: Overload, args: readonly Value[], meter: Meter): Result {
  for (const arg of args) countText(arg, meter);
  if (actual === undefined) meter.charge(cost === undefined ? 1 : cost(...args.map(sizeOf)));
  const result = (run as (...args: unknown[]) => Result)(...args, meter);
  if (actual !== undefined) meter.charge(actual(args, result));
  return result;
}

/** Work on strings is counted by their length, even where Kubernetes counts one unit. */
function countText(value: Value, meter: Meter): void {
  if (typeof value === 'string' || value instanceof Uint8Array) meter.work(value.length / 500);
}
