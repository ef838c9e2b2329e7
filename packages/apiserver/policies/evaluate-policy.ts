// SPDX-License-Identifier: Apache-2.0
import { AdmissionEvaluation, OutOfBudget, policyLimit } from '../cel/rules/admission-evaluation.ts';
import { usableMessage } from '../cel/rules/usable-message.ts';
import { EvalError, type Result, type Value } from '../cel/values/value.ts';
import type { AdmissionValues } from '../matching/admission-values.ts';
import { matchConditions } from '../matching/match-conditions.ts';
import type { CompiledPolicy, CompiledValidation } from './compiled/compile-policy.ts';

/** Why a request is not valid for a policy. */
export interface Denial {
  readonly message: string;
  /** The reason of a failed validation. */
  readonly reason?: string | undefined;
  /** Whether it is denied whatever the binding's actions are. */
  readonly isFatal?: boolean;
}

/** The input of a policy besides the request. */
interface PolicyInput {
  readonly params: Value;
  readonly namespaceObject: Value;
  /** Gets the cost of the evaluation. */
  readonly spend: (cost: number) => void;
}

/** Evaluates a policy for a request that it matches, with one of its params. */
export function evaluatePolicy(
  compiled: CompiledPolicy,
  request: AdmissionValues,
  { params, namespaceObject, spend }: PolicyInput,
): readonly Denial[] {
  const { policy, conditions } = compiled;
  const onError: OnError = policy.spec?.failurePolicy === 'Ignore' ? () => [] : (message) => [{ message }];
  const matches = matchConditions(conditions, () => ({ ...request, params }));
  if (matches instanceof EvalError) return onError(matches.message);
  if (!matches) return [];
  const { authorizer, ...rest } = request;
  // Only validations can ask the authorizer; in messages and annotations, not even variables can.
  const values = { ...rest, namespaceObject, params };
  const evaluation = new AdmissionEvaluation({ authorizer, ...values }, policyLimit, compiled.variables);
  try {
    const denials = failedValidations(compiled, evaluation, values, onError);
    spend(policyLimit - evaluation.budget);
    return compiled.annotations.length === 0 ? denials : [...denials, ...failedAnnotations(compiled, values, onError)];
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    spend(policyLimit);
    return onError(error.message);
  }
}

/** What follows from an error: a denial, unless the policy ignores errors. */
type OnError = (message: string) => Denial[];

function failedValidations(
  compiled: CompiledPolicy,
  evaluation: AdmissionEvaluation,
  values: Readonly<Record<string, Result>>,
  onError: OnError,
): Denial[] {
  const { validations } = compiled;
  const results = validations.map((validation) => evaluation.evaluate(validation.compiled));
  if (results.every((result) => result === true)) return [];
  const messages = results.includes(false) ? messagesOf(compiled, values, evaluation.budget) : [];
  return results.flatMap((result, index) => {
    if (result instanceof EvalError) return onError(result.message);
    if (messages instanceof OutOfBudget) return onError(`failed messageExpression: ${messages.message}`);
    if (result === true) return [];
    const { reason, ...validation } = validations[index] as CompiledValidation;
    return [{ message: messages[index] ?? writtenMessage(validation), reason }];
  });
}

/** Errors of audit annotations deny a request whatever the actions are. */
function failedAnnotations(
  { annotations, variables }: CompiledPolicy,
  values: Readonly<Record<string, Result>>,
  onError: OnError,
): Denial[] {
  const evaluation = new AdmissionEvaluation(values, policyLimit, variables);
  return annotations.flatMap((annotation) => {
    const result = evaluation.evaluate(annotation);
    return result instanceof EvalError ? onError(result.message).map((each) => ({ ...each, isFatal: true })) : [];
  });
}

/** The results of the messageExpressions; undefined where there is none, or none that can be shown. */
function messagesOf(
  { validations, variables }: CompiledPolicy,
  values: Readonly<Record<string, Result>>,
  budget: number,
): readonly (string | undefined)[] | OutOfBudget {
  const evaluation = new AdmissionEvaluation(values, budget, variables);
  try {
    return validations.map(({ compiledMessage }) => {
      return compiledMessage && usableMessage(evaluation.evaluate(compiledMessage));
    });
  } catch (error) {
    if (error instanceof OutOfBudget) return error;
    throw error;
  }
}

function writtenMessage({ message = '', expression }: Pick<CompiledValidation, 'message' | 'expression'>): string {
  return message.trim() === '' ? `failed expression: ${expression.trim()}` : message.trim();
}
