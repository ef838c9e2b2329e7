// SPDX-License-Identifier: Apache-2.0
import type { Scope } from '../cel/evaluate/scope.ts';
import { AdmissionEvaluation, conditionsLimit, OutOfBudget } from '../cel/rules/admission-evaluation.ts';
import type { AdmissionExpression } from '../cel/rules/admission-expression.ts';
import { EvalError } from '../cel/values/value.ts';
import type { Turn } from './turn.ts';

/** Whether all matchConditions hold, or their errors; the values are needed only if there are any. */
export function* matchConditions(
  conditions: readonly AdmissionExpression[],
  values: () => Scope | undefined,
  turn: Turn,
): Generator<void, boolean | EvalError> {
  if (conditions.length === 0) return true;
  const evaluation = new AdmissionEvaluation(values(), conditionsLimit);
  const errors: string[] = [];
  try {
    for (const condition of conditions) {
      const result = yield* turn.evaluate(evaluation, condition);
      if (result === false) return false;
      if (result instanceof EvalError) errors.push(result.message);
    }
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    return new EvalError(error.message);
  }
  if (errors.length === 0) return true;
  return new EvalError(errors.length === 1 ? errors.join() : `[${errors.join(', ')}]`);
}
