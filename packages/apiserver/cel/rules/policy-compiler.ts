// SPDX-License-Identifier: Apache-2.0
import { authorizerType } from '../library/authorizations.ts';
import { bool, dyn, nullType, string, type Type } from '../values/type.ts';
import { type AdmissionExpression, compileAdmissionExpression, variableType } from './admission-expression.ts';
import { admissionVariables } from './admission-variables.ts';

/** What the expressions of a policy are compiled for. */
export interface PolicyTypes {
  /** The type of `params`; undefined for a policy without paramKind. */
  readonly params?: Type | undefined;
  /** The type of `object` and `oldObject`. Default: dyn. */
  readonly object?: Type;
  /** The type of `authorizer`. Default: with the resource of the request. */
  readonly authorizer?: Type;
  /** Whether the policy has variables. */
  readonly hasVariables: boolean;
}

/** Compiles the expressions of one policy; those that follow a variable can read it. */
export class PolicyCompiler {
  readonly #types: PolicyTypes;
  readonly #variables = new Map<string, Type>();
  readonly #environments = new Map<boolean, ReadonlyMap<string, Type>>();

  constructor(types: PolicyTypes) {
    this.#types = types;
  }

  /** A variable; it is declared even if it does not compile, so that one error is reported once. */
  variable(name: string, expression: string): AdmissionExpression {
    const compiled = this.expression(expression);
    this.#variables.set(name, variableType(compiled.type));
    this.#environments.clear();
    return compiled;
  }

  validation(expression: string): AdmissionExpression {
    return this.expression(expression, [bool]);
  }

  /** Messages cannot ask the authorizer. */
  message(expression: string): AdmissionExpression {
    return this.expression(expression, [string], false);
  }

  annotation(expression: string): AdmissionExpression {
    return this.expression(expression, [string, nullType]);
  }

  /** An expression, by default of any type. */
  expression(expression: string, results?: readonly Type[], asks = true): AdmissionExpression {
    return compileAdmissionExpression(expression, this.#environment(asks), results);
  }

  #environment(asks: boolean): ReadonlyMap<string, Type> {
    const known = this.#environments.get(asks);
    if (known !== undefined) return known;
    const { params, object = dyn, authorizer = authorizerType, hasVariables } = this.#types;
    const environment = admissionVariables({
      object,
      ...(asks && { authorizer }),
      ...(params !== undefined && { params }),
      ...(hasVariables && { variables: this.#variables }),
    });
    this.#environments.set(asks, environment);
    return environment;
  }
}
