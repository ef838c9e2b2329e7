// SPDX-License-Identifier: Apache-2.0
import type { Schema, ValidationRule } from '@forge/kube/schema/schema.ts';
import { compileExpression, type Expression } from '../check/expression.ts';
import { compileProgram } from '../evaluate/program.ts';
import type { Evaluate } from '../evaluate/scope.ts';
import { optionalOf, type Type } from '../values/type.ts';
import { EvalError } from '../values/value.ts';
import { declarationOf, type Declaration } from './declaration.ts';
import { estimateCost } from './estimate-cost.ts';
import { fieldPath } from './field-path.ts';

/** A compiled expression of a rule. */
export interface CompiledExpression {
  readonly run: Evaluate;
  /** Its worst-case cost. */
  readonly estimate: number;
}

/** A compiled rule, or its errors. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly program: CompiledExpression | string;
  /** Undefined when the rule has none. */
  readonly message: CompiledExpression | string | undefined;
  readonly usesOldSelf: boolean;
  /** The fieldPath of failures, relative to the rule's field. */
  readonly path: string;
}

const known = new WeakMap<Schema, Map<boolean, readonly CompiledRule[]>>();

/** The compiled rules of a schema node; cached. */
export function rulesOf(schema: Schema, isRoot: boolean): readonly CompiledRule[] {
  const ready = known.get(schema)?.get(isRoot);
  if (ready !== undefined) return ready;
  const rules = schema['x-kubernetes-validations'] ?? [];
  const self = rules.length === 0 ? undefined : declarationOf(schema, isRoot);
  const compiled = self === undefined ? [] : rules.map((rule) => compileRule(rule, schema, self));
  known.set(schema, (known.get(schema) ?? new Map<boolean, readonly CompiledRule[]>()).set(isRoot, compiled));
  return compiled;
}

function compileRule(rule: ValidationRule, schema: Schema, self: Declaration): CompiledRule {
  const oldSelf = rule.optionalOldSelf === true ? optionalOf(self.type) : self.type;
  const variables = new Map([
    ['self', self.type],
    ['oldSelf', oldSelf],
  ]);
  const expression = compile(rule.rule, variables, 'bool');
  const failed = typeof expression === 'string';
  const { messageExpression = '' } = rule;
  return {
    rule,
    program: failed ? expression : runnable(expression, self),
    message: failed || messageExpression === '' ? undefined : compileMessage(messageExpression, variables, self),
    usesOldSelf: !failed && expression.checked.reads.has('oldSelf'),
    path: fieldPath(rule.fieldPath ?? '', schema) ?? '',
  };
}

function compileMessage(
  source: string,
  variables: ReadonlyMap<string, Type>,
  self: Declaration,
): CompiledExpression | string {
  const expression = compile(source, variables, 'string');
  const message = typeof expression === 'string' ? expression : runnable(expression, self);
  if (typeof message !== 'string') return message;
  return message
    .replace(/^cel expression /, 'messageExpression ')
    .replace(/^program /, 'messageExpression ')
    .replace(/^compilation/, 'messageExpression $&');
}

function compile(source: string, variables: ReadonlyMap<string, Type>, result: Type['kind']): Expression | string {
  const expression = compileExpression(source, variables);
  if (typeof expression === 'string') return `compilation failed: ${expression}`;
  return expression.checked.type.kind === result ? expression : `cel expression must evaluate to a ${result}`;
}

function runnable({ root, checked }: Expression, self: Declaration): CompiledExpression | string {
  const run = compileProgram(root, checked);
  if (run instanceof EvalError) return `program instantiation failed: ${run.message}`;
  return { run, estimate: estimateCost(root, checked, self) };
}
