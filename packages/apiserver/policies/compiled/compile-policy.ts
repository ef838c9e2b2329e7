// SPDX-License-Identifier: Apache-2.0
import type { Validation } from '@forge/kube/generated/types.ts';
import type { ValidatingAdmissionPolicy } from '@forge/kube/kinds/builtin.ts';
import type { NamedExpressions } from '../../cel/rules/admission-evaluation.ts';
import { type AdmissionExpression, compileMatchCondition } from '../../cel/rules/admission-expression.ts';
import { PolicyCompiler } from '../../cel/rules/policy-compiler.ts';
import { dyn } from '../../cel/values/type.ts';

/** A validation with its compiled expressions. */
export interface CompiledValidation extends Validation {
  readonly compiled: AdmissionExpression;
  /** Of its messageExpression, if it has one. */
  readonly compiledMessage: AdmissionExpression | undefined;
}

/** A policy with its compiled expressions. */
export interface CompiledPolicy {
  readonly policy: ValidatingAdmissionPolicy;
  readonly conditions: readonly AdmissionExpression[];
  /** Undefined when it has none. */
  readonly variables: NamedExpressions | undefined;
  readonly validations: readonly CompiledValidation[];
  readonly annotations: readonly AdmissionExpression[];
}

/** Compiles all expressions of a policy. */
export function compilePolicy(policy: ValidatingAdmissionPolicy): CompiledPolicy {
  const {
    paramKind,
    matchConditions = [],
    variables = [],
    validations = [],
    auditAnnotations = [],
  } = policy.spec ?? {};
  const hasVariables = variables.length > 0;
  const compiler = new PolicyCompiler({ hasVariables, params: paramKind && dyn });
  const named = variables.map(({ name, expression }) => [name, compiler.variable(name, expression)] as const);
  return {
    policy,
    conditions: matchConditions.map(({ expression }) => compileMatchCondition(expression, paramKind !== undefined)),
    variables: hasVariables ? new Map(named) : undefined,
    validations: validations.map((validation) => {
      const { expression, messageExpression = '' } = validation;
      const compiledMessage = messageExpression === '' ? undefined : compiler.message(messageExpression);
      return { ...validation, compiled: compiler.validation(expression), compiledMessage };
    }),
    annotations: auditAnnotations.map(({ valueExpression }) => compiler.annotation(valueExpression)),
  };
}
