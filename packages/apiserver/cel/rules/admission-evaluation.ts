// SPDX-License-Identifier: Apache-2.0
import type { Scope } from '../evaluate/scope.ts';
import { MapValue } from '../values/map-value.ts';
import { CostExceeded, Meter } from '../values/meter.ts';
import { EvalError, type Result, type Value } from '../values/value.ts';
import type { AdmissionExpression } from './admission-expression.ts';

const callLimit = 1_000_000;
/** The limit of the effort of an expression with the variables that it is the first to read, about 50 ms. */
const effortLimit = 2_500_000;

/** The cost limit of all matchConditions of a webhook or policy. */
export const conditionsLimit = 2_500_000;
/** The cost limit of all validations of a policy, and of all its audit annotations. */
export const policyLimit = 10_000_000;

/** Thrown when the expressions of a webhook or policy have used up their cost limit. */
export class OutOfBudget extends Error {
  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
  }
}

/** The variables of a policy, in order. */
export type NamedExpressions = ReadonlyMap<string, AdmissionExpression>;

/** Evaluates expressions on the same values, within one cost limit. */
export class AdmissionEvaluation {
  readonly #scope: Scope | undefined;
  #budget: number;
  /** Of the current expression and of its variables. */
  #meters: Meter[] = [];

  /** With variables, expressions can read them as `variables.name`; each is evaluated when it is first read. */
  constructor(values: Scope | undefined, budget: number, variables?: NamedExpressions) {
    const value = variables && new VariableMap(variables, (each) => this.#run(each));
    this.#scope = value === undefined ? values : { name: 'variables', value, outer: values };
    this.#budget = budget;
  }

  /** What is left of the cost limit. */
  get budget(): number {
    return this.#budget;
  }

  /** What the last expression took, with its variables; see `Meter`. */
  get effort(): number {
    return this.#meters.reduce((sum, meter) => sum + meter.effort, 0);
  }

  /** The result of an expression; throws OutOfBudget. */
  evaluate(compiled: AdmissionExpression): Result {
    const { expression, program } = compiled;
    this.#meters = [];
    if (typeof program === 'string') return new EvalError(`compilation error: ${program}`);
    const result = this.#run(compiled);
    if (this.#budget < 0) throw new OutOfBudget();
    return result instanceof EvalError
      ? new EvalError(`expression '${expression}' resulted in error: ${result.message}`)
      : result;
  }

  #run({ program }: AdmissionExpression): Result {
    if (typeof program === 'string') return new EvalError(program);
    const meter = new Meter(callLimit, effortLimit - this.effort);
    this.#meters.push(meter);
    try {
      return program(this.#scope, meter);
    } catch (error) {
      if (!(error instanceof CostExceeded)) throw error;
      return new EvalError(error.message);
    } finally {
      this.#budget -= meter.cost;
    }
  }
}

/** The variables of a policy as a CEL value. */
class VariableMap extends MapValue {
  readonly #variables: NamedExpressions;
  readonly #run: (variable: AdmissionExpression) => Result;
  readonly #known = new Map<string, Result>();

  constructor(variables: NamedExpressions, run: (variable: AdmissionExpression) => Result) {
    super();
    this.#variables = variables;
    this.#run = run;
  }

  get size(): number {
    return this.#variables.size;
  }

  get keys(): readonly Value[] {
    return [...this.#variables.keys()];
  }

  find(key: Value): Result | undefined {
    if (typeof key !== 'string') return undefined;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const variable = this.#variables.get(key);
    if (variable === undefined) return undefined;
    const result = this.#evaluated(key, variable);
    this.#known.set(key, result);
    return result;
  }

  #evaluated(name: string, variable: AdmissionExpression): Result {
    const result = this.#run(variable);
    if (!(result instanceof EvalError)) return result;
    const verb = typeof variable.program === 'string' ? 'compile' : 'evaluate';
    return new EvalError(`composited variable ${JSON.stringify(name)} fails to ${verb}: ${result.message}`);
  }
}
