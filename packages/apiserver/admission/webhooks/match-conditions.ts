// SPDX-License-Identifier: Apache-2.0
import type { Authorizer } from '../../access/authorize.ts';
import { accountGroups, accountUserName } from '../../access/service-account-user.ts';
import { compileExpression } from '../../cel/check/expression.ts';
import { compileProgram, type Program } from '../../cel/evaluate/program.ts';
import { AuthorizerValue, authorizerType, type Rights } from '../../cel/library/authorizations.ts';
import { jsonValue } from '../../cel/values/json-value.ts';
import { CostExceeded, Meter } from '../../cel/values/meter.ts';
import { bool, dyn, formatType, listOf, mapOf, objectType, string, type Type } from '../../cel/values/type.ts';
import { EvalError, type Result } from '../../cel/values/value.ts';
import { forbidden } from '../../request/refusal.ts';
import type { User } from '../../request/server-request.ts';
import { requestOf } from './admission-review.ts';
import type { Attributes } from './attributes.ts';
import type { Invocation } from './match-webhook.ts';

/** A condition, ready to be asked; or what is wrong with it. */
export interface Condition {
  readonly expression: string;
  readonly program: Program | string;
}

const callLimit = 1_000_000;
const webhookLimit = 2_500_000;

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

/** Makes a condition of an expression. */
export function compileCondition(expression: string): Condition {
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

/** Whether all conditions of a webhook hold; where that cannot be told, its failure policy decides. */
export function conditionsHold(
  attributes: Attributes,
  { webhook, version }: Invocation,
  authorizer: Authorizer,
): boolean {
  const { conditions, failurePolicy } = webhook;
  if (conditions.length === 0) return true;
  const values = {
    object: jsonValue(attributes.object),
    oldObject: jsonValue(attributes.before),
    request: jsonValue(requestOf(attributes, version)),
    authorizer: new AuthorizerValue(rightsOf(attributes.user, authorizer), attemptedIn(attributes)),
  };
  let budget = webhookLimit;
  const errors: string[] = [];
  for (const condition of conditions) {
    const meter = new Meter(Math.min(callLimit, budget));
    const result = evaluate(condition, values, meter);
    budget -= meter.cost;
    if (result === false) return false;
    if (result instanceof EvalError) {
      errors.push(`expression '${condition.expression}' resulted in error: ${result.message}`);
    }
  }
  if (errors.length === 0) return true;
  if (failurePolicy === 'Ignore') return false;
  const why = errors.length === 1 ? errors.join() : `[${errors.join(', ')}]`;
  throw forbidden(attributes.resource.kind, attributes.name, why);
}

function rightsOf(user: User, authorizer: Authorizer): Rights {
  return {
    decide: (attempt) => authorizer(user, attempt),
    ofAccount: (namespace, name) =>
      rightsOf({ name: accountUserName({ namespace, name }), groups: accountGroups(namespace) }, authorizer),
  };
}

/** What the request is about, as rights to it are asked for. */
function attemptedIn({ resource: { kind: of }, subresource = '', namespace = '', name }: Attributes) {
  return { group: of.group, resource: of.plural, subresource, namespace, name };
}

function evaluate({ program }: Condition, values: Readonly<Record<string, Result>>, meter: Meter): Result {
  if (typeof program === 'string') return new EvalError(program);
  try {
    return program(values, meter);
  } catch (error) {
    if (error instanceof CostExceeded) return new EvalError(error.message);
    throw error;
  }
}
