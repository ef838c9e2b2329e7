// SPDX-License-Identifier: Apache-2.0
import type { Type } from '../values/type.ts';
import type { Result, Value } from '../values/value.ts';

/** Minimum and maximum size of a value. */
export interface Size {
  readonly min: number;
  readonly max: number;
}

/** The static estimate of an argument. */
export interface Argument {
  readonly size: Size;
  /** Of the items, when it is a list. */
  readonly itemSize: Size;
  readonly type: Type;
  /** Its value, for integer literals. */
  readonly literal: number | undefined;
}

/** The estimate of a call. */
export interface CallEstimate {
  readonly cost?: number;
  readonly size?: Size;
}

/** The result of a lazy function for its first argument: a value, or the argument to evaluate. */
type Choice = { readonly value: Value } | { readonly argument: number };

/** One overload of a function or operator: signature, cost and implementation, for checker, estimator and evaluator. */
export interface Overload {
  readonly name: string;
  /** Whether it is a member function. */
  readonly member: boolean;
  readonly params: readonly Type[];
  readonly result: Type;
  /** The implementation; arguments have been checked against the signature. */
  readonly run?: (...args: never[]) => Result;
  /** For lazy functions, instead of `run`: gets the first argument only. */
  readonly choose?: (first: Value) => Choice;
  /** The cost by argument sizes, actual or maximum; 1 when absent. */
  readonly cost?: (...sizes: number[]) => number;
  /** The run-time cost, where it differs from the estimate or depends on the result. */
  readonly actual?: (args: readonly Value[], result: Result) => number;
  /** The estimate, where it exceeds the cost of the maximum sizes. */
  readonly estimate?: (...args: Argument[]) => CallEstimate;
}

type Run = NonNullable<Overload['run']>;
type Rest = Partial<Pick<Overload, 'cost' | 'actual' | 'estimate'>>;

/** A function: `size(x)`. */
export function define(name: string, params: readonly Type[], result: Type, run: Run, rest: Rest = {}): Overload {
  return { name, member: false, params, result, run, ...rest };
}

/** A function of its first argument: `x.size()`. */
export function defineMember(name: string, params: readonly Type[], result: Type, run: Run, rest: Rest = {}): Overload {
  return { name, member: true, params, result, run, ...rest };
}

/** The cost of traversing a string or list of this size. */
export function traverse(size: number): number {
  return Math.ceil(size * 0.1);
}

/** The product of two sizes or costs; either may be unbounded. */
export function product(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

export const unknownSize: Size = { min: 0, max: Infinity };
