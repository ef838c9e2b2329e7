// SPDX-License-Identifier: Apache-2.0
import { maxErrorText } from '@forge/kube/errors/field-error.ts';
import type { ExpressionWarning, NamedRuleWithOperations, Validation } from '@forge/kube/generated/types.ts';
import type { ValidatingAdmissionPolicy } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { objectSchema } from '@forge/kube/schema/object-schema.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { plainAuthorizerType } from '../../cel/library/authorizations.ts';
import { declarationOf } from '../../cel/rules/declaration.ts';
import { PolicyCompiler } from '../../cel/rules/policy-compiler.ts';
import { dyn, type Type } from '../../cel/values/type.ts';
import type { ResourceRegistry } from '../../registry/resource-registry.ts';
import type { Resource } from '../../resources/resource.ts';

/** How many kinds of one rule are checked. */
const mostKinds = 10;
/** Rules that are looked at without a pause. */
const rulesOfTurn = 500;

/** Characters of expressions that are checked without a pause, about 20 ms. */
const mostCharacters = 16 * 1024;

/**
 * Checks the expressions of a policy against the schemas of the kinds that its rules name; yields when others should be
 * served. Reports no more warnings than fit into a status.
 */
export function* typeCheck(
  policy: ValidatingAdmissionPolicy,
  resources: ResourceRegistry,
): Generator<void, ExpressionWarning[]> {
  const { validations = [], paramKind, variables = [] } = policy.spec ?? {};
  let characters = 0;
  function* pauseAfter(expression: string): Generator<void> {
    characters += expression.length + 1;
    if (characters < mostCharacters) return;
    characters = 0;
    yield;
  }
  const paramResource = paramKind && resources.findKind(paramKind.apiVersion ?? '', paramKind.kind ?? '');
  const params = paramKind && typeOf(paramResource?.kind);
  const known = { params, authorizer: plainAuthorizerType, hasVariables: true };
  const compilers: { kind: Kind; compiler: PolicyCompiler }[] = [];
  for (const kind of yield* kindsToCheck(policy, resources)) {
    const compiler = new PolicyCompiler({ ...known, object: typeOf(kind) });
    for (const { name, expression } of variables) {
      yield* pauseAfter(expression);
      compiler.variable(name, expression);
    }
    compilers.push({ kind, compiler });
  }
  const warnings: ExpressionWarning[] = [];
  let text = 0;
  for (const { expression, fieldRef } of checkedExpressions(validations)) {
    const problems: string[] = [];
    for (const { kind, compiler } of compilers) {
      yield* pauseAfter(expression);
      const { program } = compiler.expression(expression);
      if (typeof program !== 'string') continue;
      const problem = `${nameOf(kind)}: ${program.replace(/^compilation failed: /, '')}\n`;
      text += problem.length;
      if (text > maxErrorText) return warnings;
      problems.push(problem);
    }
    if (problems.length > 0) warnings.push({ fieldRef, warning: problems.join('\n') });
  }
  return warnings;
}

/** The expressions that are checked, with their places. */
function checkedExpressions(validations: readonly Validation[]): { expression: string; fieldRef: string }[] {
  return validations.flatMap(({ expression, messageExpression = '' }, index) => {
    const at = `spec.validations[${index}]`;
    const message = { expression: messageExpression, fieldRef: `${at}.messageExpression` };
    return [{ expression, fieldRef: `${at}.expression` }, ...(messageExpression === '' ? [] : [message])];
  });
}

/** The kinds that the rules of a policy name, without wildcards and subresources, sorted. */
function* kindsToCheck({ spec }: ValidatingAdmissionPolicy, resources: ResourceRegistry): Generator<void, Kind[]> {
  const all = resources.all();
  const found = new Map<string, Kind>();
  for (const [index, rule] of (spec?.matchConstraints?.resourceRules ?? []).entries()) {
    if (index % rulesOfTurn === rulesOfTurn - 1) yield;
    for (const kind of kindsOf(rule, all)) found.set(nameOf(kind), kind);
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind);
}

function kindsOf(
  { apiGroups = [], apiVersions = [], resources: plurals = [] }: NamedRuleWithOperations,
  all: readonly Resource[],
): Kind[] {
  if ([...apiGroups, ...apiVersions].some((each) => each.includes('*'))) return [];
  const kinds = all
    .map(({ kind }) => kind)
    .filter(({ group, version, plural }) => {
      return apiGroups.includes(group) && apiVersions.includes(version) && plurals.includes(plural);
    });
  return kinds.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)).slice(0, mostKinds);
}

function sortKey({ group, version, plural }: Kind): string {
  return [group, version, plural].join('\0');
}

/** `apps/v1, Kind=Deployment`, `/v1, Kind=Pod`. */
function nameOf({ group, version, kind }: Kind): string {
  return `${group}/${version}, Kind=${kind}`;
}

const types = new WeakMap<Schema, Type>();

/** The type of a kind's objects; dyn when its schema says nothing. */
function typeOf(kind: Kind | undefined): Type {
  if (kind === undefined) return dyn;
  const known =
    types.get(kind.schema) ?? declarationOf(written(objectSchema(kind.schema)), true, kind.kind)?.type ?? dyn;
  types.set(kind.schema, known);
  return known;
}

/** A schema without quantities, which have no type in Kubernetes' schemas. */
function written(schema: Schema): Schema {
  const { properties, items, additionalProperties, ...rest } = schema;
  if (rest.format === 'quantity') return {};
  return {
    ...rest,
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, child]) => [name, written(child)])),
    }),
    ...(items !== undefined && { items: written(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: written(additionalProperties) }),
  };
}
