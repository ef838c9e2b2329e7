// SPDX-License-Identifier: Apache-2.0
import { EvalError, type Result } from '../values/value.ts';
import type { Evaluate } from './scope.ts';

/** Short-circuits; an error counts only when no term decides. */
export function logic(settled: boolean, terms: readonly Evaluate[]): Evaluate {
  return (scope, meter) => {
    let failed: EvalError | undefined;
    for (const term of terms) {
      const value = term(scope, meter);
      if (value === settled) return settled;
      if (typeof value !== 'boolean') failed ??= noOverload(value);
    }
    return failed ?? !settled;
  };
}

/** The error of a non-boolean value. */
export function noOverload(value: Result): EvalError {
  return value instanceof EvalError ? value : new EvalError('no such overload');
}
