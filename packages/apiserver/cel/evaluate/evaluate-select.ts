// SPDX-License-Identifier: Apache-2.0
import type { SelectNode } from '../syntax/ast.ts';
import { MapValue } from '../values/map-value.ts';
import { EvalError, Optional } from '../values/value.ts';
import type { Evaluate } from './scope.ts';

/** A field access, or a presence test. */
export function select({ field, mode }: SelectNode, operand: Evaluate): Evaluate {
  const missing = new EvalError(`no such key: ${field}`);
  return (scope, meter) => {
    const whole = operand(scope, meter);
    if (whole instanceof EvalError) return whole;
    const value = whole instanceof Optional ? whole.value : whole;
    if (mode !== 'has') meter.charge(1);
    if (value === undefined) return mode === 'has' ? false : Optional.none;
    if (!(value instanceof MapValue)) return new EvalError('no such overload');
    const found = value.find(field);
    if (mode === 'has') return found !== undefined;
    if (found instanceof EvalError) return found;
    if (mode === 'get' && !(whole instanceof Optional)) return found === undefined ? missing : found;
    return found === undefined ? Optional.none : Optional.of(found);
  };
}
