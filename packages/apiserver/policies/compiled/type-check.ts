// SPDX-License-Identifier: Apache-2.0
import type { ExpressionWarning, NamedRuleWithOperations } from '@forge/kube/generated/types.ts';
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

/** Checks the expressions of a policy against the schemas of the kinds that its rules name. */
export function typeCheck(policy: ValidatingAdmissionPolicy, resources: ResourceRegistry): ExpressionWarning[] {
  const { validations = [], paramKind, variables = [] } = policy.spec ?? {};
  const paramResource = paramKind && resources.findKind(paramKind.apiVersion ?? '', paramKind.kind ?? '');
  const params = paramKind && typeOf(paramResource?.kind);
  const known = { params, authorizer: plainAuthorizerType, hasVariables: true };
  const compilers = kindsToCheck(policy, resources).map((kind) => {
    const compiler = new PolicyCompiler({ ...known, object: typeOf(kind) });
    for (const { name, expression } of variables) compiler.variable(name, expression);
    return { kind, compiler };
  });
  const check = (expression: string, fieldRef: string): ExpressionWarning[] => {
    const problems = compilers.flatMap(({ kind, compiler }) => {
      const { program } = compiler.expression(expression);
      return typeof program === 'string' ? [`${nameOf(kind)}: ${program.replace(/^compilation failed: /, '')}\n`] : [];
    });
    return problems.length === 0 ? [] : [{ fieldRef, warning: problems.join('\n') }];
  };
  return validations.flatMap(({ expression, messageExpression = '' }, index) => [
    ...check(expression, `spec.validations[${index}].expression`),
    ...(messageExpression === '' ? [] : check(messageExpression, `spec.validations[${index}].messageExpression`)),
  ]);
}

/** The kinds that the rules of a policy name, without wildcards and subresources, sorted. */
function kindsToCheck({ spec }: ValidatingAdmissionPolicy, resources: ResourceRegistry): Kind[] {
  const all = resources.all();
  const found = (spec?.matchConstraints?.resourceRules ?? []).flatMap((rule) => kindsOf(rule, all));
  return [...new Map(found.map((kind) => [nameOf(kind), kind]))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, kind]) => kind);
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
