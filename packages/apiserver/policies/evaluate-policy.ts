// SPDX-License-Identifier: Apache-2.0
import { type Scope, scopeOf } from '../cel/evaluate/scope.ts';
import { AdmissionEvaluation, OutOfBudget, policyLimit } from '../cel/rules/admission-evaluation.ts';
import { usableMessage } from '../cel/rules/usable-message.ts';
import { EvalError, type Result, type Value } from '../cel/values/value.ts';
import type { AdmissionValues } from '../matching/admission-values.ts';
import { matchConditions } from '../matching/match-conditions.ts';
import type { Turn } from '../matching/turn.ts';
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
  readonly turn: Turn;
}

/** Evaluates a policy for a request that it matches, with one of its params; yields when others should be served. */
export function* evaluatePolicy(
  compiled: CompiledPolicy,
  request: AdmissionValues,
  { params, namespaceObject, turn }: PolicyInput,
): Generator<void, readonly Denial[]> {
  const { policy, conditions } = compiled;
  const onError: OnError = policy.spec?.failurePolicy === 'Ignore' ? () => [] : (message) => [{ message }];
  const scope = { name: 'params', value: params, outer: scopeOf(request) };
  const matches = yield* matchConditions(conditions, () => scope, turn);
  if (matches instanceof EvalError) return onError(matches.message);
  if (!matches) return [];
  const full = { name: 'namespaceObject', value: namespaceObject, outer: scope };
  const evaluation = new AdmissionEvaluation(full, policyLimit, compiled.variables);
  // Only validations can ask the authorizer; in messages and annotations, not even variables can.
  const withoutAuthorizer = (): Scope | undefined => {
    const { authorizer: _, ...rest } = request;
    return scopeOf({ ...rest, namespaceObject, params });
  };
  try {
    const evaluating = { withoutAuthorizer, onError, turn };
    const denials = yield* failedValidations(compiled, evaluation, evaluating);
    return [...denials, ...(yield* failedAnnotations(compiled, evaluating))];
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    return onError(error.message);
  }
}

/** What follows from an error: a denial, unless the policy ignores errors. */
type OnError = (message: string) => Denial[];

/** What the expressions of a policy see besides variables, and what becomes of their errors. */
interface Evaluating {
  readonly withoutAuthorizer: () => Scope | undefined;
  readonly onError: OnError;
  readonly turn: Turn;
}

function* failedValidations(
  compiled: CompiledPolicy,
  evaluation: AdmissionEvaluation,
  evaluating: Evaluating,
): Generator<void, Denial[]> {
  const { validations } = compiled;
  const { onError, turn } = evaluating;
  const results: Result[] = [];
  for (const validation of validations) results.push(yield* turn.evaluate(evaluation, validation.compiled));
  if (results.every((result) => result === true)) return [];
  const messages = results.includes(false) ? yield* messagesOf(compiled, evaluation.budget, evaluating) : [];
  return results.flatMap((result, index) => {
    if (result instanceof EvalError) return onError(result.message);
    if (messages instanceof OutOfBudget) return onError(`failed messageExpression: ${messages.message}`);
    if (result === true) return [];
    const { reason, ...validation } = validations[index] as CompiledValidation;
    return [{ message: messages[index] ?? writtenMessage(validation), reason }];
  });
}

/** Errors of audit annotations deny a request whatever the actions are. */
function* failedAnnotations(
  { annotations, variables }: CompiledPolicy,
  { withoutAuthorizer, onError, turn }: Evaluating,
): Generator<void, Denial[]> {
  if (annotations.length === 0) return [];
  const evaluation = new AdmissionEvaluation(withoutAuthorizer(), policyLimit, variables);
  const denials: Denial[] = [];
  for (const annotation of annotations) {
    const result = yield* turn.evaluate(evaluation, annotation);
    if (!(result instanceof EvalError)) continue;
    denials.push(...onError(result.message).map((each) => ({ ...each, isFatal: true })));
  }
  return denials;
}

/** The results of the messageExpressions; undefined where there is none, or none that can be shown. */
function* messagesOf(
  { validations, variables }: CompiledPolicy,
  budget: number,
  { withoutAuthorizer, turn }: Evaluating,
): Generator<void, readonly (string | undefined)[] | OutOfBudget> {
  const evaluation = new AdmissionEvaluation(withoutAuthorizer(), budget, variables);
  const messages: (string | undefined)[] = [];
  try {
    for (const { compiledMessage } of validations) {
      messages.push(compiledMessage && usableMessage(yield* turn.evaluate(evaluation, compiledMessage)));
    }
    return messages;
  } catch (error) {
    if (error instanceof OutOfBudget) return error;
    throw error;
  }
}

function writtenMessage({ message = '', expression }: Pick<CompiledValidation, 'message' | 'expression'>): string {
  return message.trim() === '' ? `failed expression: ${expression.trim()}` : message.trim();
}
