// SPDX-License-Identifier: Apache-2.0
import type { Type } from '../values/type.ts';
import type { Result, Value } from '../values/value.ts';

/** The smallest and the largest size that a value can have. */
export interface Size {
  readonly min: number;
  readonly max: number;
}

/** What is known of an argument before anything is evaluated. */
export interface Argument {
  readonly size: Size;
  /** Of the items, when it is a list. */
  readonly itemSize: Size;
  readonly type: Type;
  /** Its value, when it is written as a whole number. */
  readonly literal: number | undefined;
}

/** What the estimator expects of a call. */
export interface CallEstimate {
  readonly cost?: number;
  readonly size?: Size;
}

/** What a call of a lazy function means once its first argument is known: a value, or the argument to evaluate. */
type Choice = { readonly value: Value } | { readonly argument: number };

/** One signature of a function or operator, with what it costs and what it does: checker, estimator and evaluator read it. */
export interface Overload {
  readonly name: string;
  /** Whether the first argument stands before the dot. */
  readonly member: boolean;
  readonly params: readonly Type[];
  readonly result: Type;
  /** Gets the arguments and the meter; the signature is checked before, so implementations name their own types. */
  readonly run?: (...args: never[]) => Result;
  /** Of a lazy function, in place of `run`: gets the first argument only, and says what happens to the others. */
  readonly choose?: (first: Value) => Choice;
  /** The cost by the sizes of the arguments: the actual ones, or the largest when it is estimated; 1 when absent. */
  readonly cost?: (...sizes: number[]) => number;
  /** The cost at run time, where the estimate follows another rule or the result counts. */
  readonly actual?: (args: readonly Value[], result: Result) => number;
  /** The estimate, where it is more than the cost of the largest sizes. */
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

/** What going over a text or list of this size costs. */
export function traverse(size: number): number {
  return Math.ceil(size * 0.1);
}

/** The product of two sizes or costs, of which one may be unbounded. */
export function product(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

export const unknownSize: Size = { min: 0, max: Infinity };
