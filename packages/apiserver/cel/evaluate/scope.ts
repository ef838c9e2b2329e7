// SPDX-License-Identifier: Apache-2.0
import type { Meter } from '../values/meter.ts';
import { EvalError, type Result } from '../values/value.ts';

/** Variable scopes: a chain, innermost first. */
export interface Scope {
  readonly name: string;
  readonly value: Result;
  readonly outer: Scope | undefined;
}

/** The scope of an expression's variables; those named last are found first. */
export function scopeOf(variables: Readonly<Record<string, Result>>): Scope | undefined {
  let scope: Scope | undefined;
  for (const name in variables) scope = { name, value: variables[name] ?? null, outer: scope };
  return scope;
}

/** A compiled expression or part of one. */
export type Evaluate = (scope: Scope | undefined, meter: Meter) => Result;

/** The value of a name. */
export function variable(name: string): Evaluate {
  const missing = new EvalError(`no such attribute(s): ${name}`);
  return (scope, meter) => {
    meter.charge(1);
    for (let at = scope; at !== undefined; at = at.outer) if (at.name === name) return at.value;
    return missing;
  };
}
