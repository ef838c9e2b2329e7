// SPDX-License-Identifier: Apache-2.0
import { compileExpression } from '../check/expression.ts';
import { compileProgram } from '../evaluate/program.ts';
import type { Evaluate } from '../evaluate/scope.ts';
import { authorizerType } from '../library/authorizations.ts';
import { bool, dyn, isSameType, listOf, mapOf, type Type, typeText } from '../values/type.ts';
import { EvalError } from '../values/value.ts';
import { admissionVariables } from './admission-variables.ts';

/** A compiled expression of a webhook or policy, or its error. */
export interface AdmissionExpression {
  readonly expression: string;
  readonly program: Evaluate | string;
  /** The type of its result; dyn when it does not compile. */
  readonly type: Type;
}

/** Compiles an expression; its result must be of one of some types, or may be of any. */
export function compileAdmissionExpression(
  expression: string,
  variables: ReadonlyMap<string, Type>,
  results?: readonly Type[],
): AdmissionExpression {
  const failed = (program: string): AdmissionExpression => ({ expression, program, type: dyn });
  const compiled = compileExpression(expression, variables);
  if (typeof compiled === 'string') return failed(`compilation failed: ${compiled}`);
  const { root, checked } = compiled;
  if (results !== undefined && !results.some((type) => isSameType(type, checked.type))) {
    const wanted = results.length === 1 ? results.map(typeText).join() : `one of [${results.map(typeText).join(' ')}]`;
    return failed(`must evaluate to ${wanted} but got ${typeText(checked.type)}`);
  }
  const program = compileProgram(root, checked);
  if (program instanceof EvalError) return failed(`program instantiation failed: ${program.message}`);
  return { expression, program, type: checked.type };
}

const withAuthorizer = admissionVariables({ authorizer: authorizerType });
const withParams = admissionVariables({ authorizer: authorizerType, params: dyn });

/** Compiles a matchCondition; those of policies may have params. */
export function compileMatchCondition(expression: string, hasParams = false): AdmissionExpression {
  return compileAdmissionExpression(expression, hasParams ? withParams : withAuthorizer, [bool]);
}

/** The type that a variable of a policy has in later expressions: objects and library types become dyn. */
export function variableType({ kind, params: [first = dyn, second = dyn], ...type }: Type): Type {
  if (kind === 'list') return listOf(variableType(first));
  if (kind === 'map') return mapOf(variableType(first), variableType(second));
  return kind === 'object' || kind === 'opaque' || kind === 'type' || kind === 'param'
    ? dyn
    : { ...type, kind, params: [] };
}
