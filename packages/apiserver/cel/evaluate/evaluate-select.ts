// SPDX-License-Identifier: Apache-2.0
import type { Node, SelectNode } from '../syntax/ast.ts';
import { MapValue } from '../values/map-value.ts';
import type { Meter } from '../values/meter.ts';
import { EvalError, Optional, type Result } from '../values/value.ts';
import { type Evaluate, variable } from './scope.ts';

/** A field access, or a presence test. */
export function select({ field, mode }: SelectNode, operand: Evaluate): Evaluate {
  if (mode === 'has') return (scope, meter) => presence(field, operand(scope, meter));
  if (mode === 'optional') return (scope, meter) => optionalField(field, operand(scope, meter), meter);
  const access = accessOf(field);
  return (scope, meter) => get(access, operand(scope, meter), meter);
}

/** The fields that lead from a variable to a value, if that is what the expression is. */
export function pathOf(node: Node, isType: (node: Node) => boolean): [name: string, ...fields: string[]] | undefined {
  if (isType(node)) return undefined;
  if (node.kind === 'ident') return [node.name];
  if (node.kind !== 'select' || node.mode !== 'get') return undefined;
  const outer = pathOf(node.operand, isType);
  return outer && [...outer, node.field];
}

/** A field of a field of a variable, in one closure: most of what rules read. */
export function path([name, ...fields]: readonly [string, ...string[]]): Evaluate {
  const root = variable(name);
  const accesses = fields.map(accessOf);
  return (scope, meter) => {
    let value = root(scope, meter);
    for (const access of accesses) value = get(access, value, meter);
    return value;
  };
}

/** A field, and the error when it is not there. */
interface Access {
  readonly field: string;
  readonly missing: EvalError;
}

const accessOf = (field: string): Access => ({ field, missing: new EvalError(`no such key: ${field}`) });

function get({ field, missing }: Access, whole: Result, meter: Meter): Result {
  if (!(whole instanceof MapValue)) return optionalField(field, whole, meter);
  meter.charge(1);
  const found = whole.find(field);
  return found === undefined ? missing : found;
}

function presence(field: string, whole: Result): Result {
  if (whole instanceof MapValue) return whole.find(field) !== undefined;
  if (!(whole instanceof Optional)) return whole instanceof EvalError ? whole : noSuchOverload;
  return whole.value === undefined ? false : presence(field, whole.value);
}

/** A field as an optional value: of an optional object, or as the expression asks. */
function optionalField(field: string, whole: Result, meter: Meter): Result {
  if (whole instanceof EvalError) return whole;
  meter.charge(1);
  const value = whole instanceof Optional ? whole.value : whole;
  if (value === undefined) return Optional.none;
  if (!(value instanceof MapValue)) return noSuchOverload;
  const found = value.find(field);
  if (found instanceof EvalError) return found;
  return found === undefined ? Optional.none : Optional.of(found);
}

const noSuchOverload = new EvalError('no such overload');
