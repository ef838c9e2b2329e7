// SPDX-License-Identifier: Apache-2.0
import { compileExpression } from '../check/expression.ts';
import { compileProgram, type Program } from '../evaluate/program.ts';
import { authorizerType } from '../library/authorizations.ts';
import { bool, dyn, formatType, listOf, mapOf, objectType, string, type Type } from '../values/type.ts';
import { EvalError } from '../values/value.ts';

/** A compiled matchCondition, or its error. */
export interface MatchCondition {
  readonly expression: string;
  readonly program: Program | string;
}

function fields(...names: readonly string[]): [string, Type][] {
  return names.map((name) => [name, string]);
}

const kind = objectType('kubernetes.GroupVersionKind', new Map(fields('group', 'version', 'kind')));
const resource = objectType('kubernetes.GroupVersionResource', new Map(fields('group', 'version', 'resource')));
const userInfo = objectType(
  'kubernetes.UserInfo',
  new Map([...fields('username', 'uid'), ['groups', listOf(string)], ['extra', mapOf(string, listOf(string))]]),
);
const request = objectType(
  'kubernetes.AdmissionRequest',
  new Map([
    ...fields('subResource', 'requestSubResource', 'name', 'namespace', 'operation'),
    ['kind', kind],
    ['requestKind', kind],
    ['resource', resource],
    ['requestResource', resource],
    ['userInfo', userInfo],
    ['dryRun', bool],
    ['options', dyn],
  ]),
);
const variables: ReadonlyMap<string, Type> = new Map([
  ['object', dyn],
  ['oldObject', dyn],
  ['request', request],
  ['authorizer', authorizerType],
]);

/** Compiles a matchCondition. */
export function compileMatchCondition(expression: string): MatchCondition {
  const compiled = compileExpression(expression, variables);
  if (typeof compiled === 'string') return { expression, program: `compilation failed: ${compiled}` };
  const { root, checked } = compiled;
  if (checked.type.kind !== 'bool') {
    return { expression, program: `must evaluate to bool but got ${formatType(checked.type)}` };
  }
  const program = compileProgram(root, checked);
  return {
    expression,
    program: program instanceof EvalError ? `program instantiation failed: ${program.message}` : program,
  };
}
