// SPDX-License-Identifier: Apache-2.0
import type { MatchCondition, RuleWithOperations } from '@forge/kube/generated/types.ts';
import { compileMatchCondition } from '../../cel/rules/admission-expression.ts';
import { qualifiedNameProblem } from '../../formats/names.ts';
import type { Rule } from '../inspection.ts';
import { all, each, fields, given, unique } from '../rule.ts';
import { oneOf, required, requiredText } from '../value-rules.ts';

/** A list in which `*` must be the only item. */
function withStar(what: string): Rule<readonly string[]> {
  return all<readonly string[]>(required(), (list = [], at) => {
    if (list.length > 1 && list.includes('*')) at.invalid(list, `if '*' is present, must not specify other ${what}`);
  });
}

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

const resources: Rule<readonly string[]> = all<readonly string[]>(required(), (list = [], at) => {
  const stars = new Set<string>();
  for (const [index, name] of list.entries()) {
    const [plural, sub] = name.split(/\/(.*)/);
    if (name === '') at.inside(index, name, required());
    if (sub === undefined) continue;
    for (const star of [`${plural}/*`, `*/${sub}`]) {
      if (stars.has(star)) at.invalid(name, `if '${star}' is present, must not specify ${name}`, `[${index}]`);
    }
    if (plural === '*' || sub === '*') stars.add(name);
  }
  if (list.length > 1 && list.includes('*/*')) {
    at.invalid(list, "if '*/*' is present, must not specify other resources");
  }
  // kube-apiserver only looks at the last resource without a subresource.
  if (list.includes('*') && list.findLast((name) => name !== '' && !name.includes('/')) !== '*') {
    at.invalid(list, "if '*' is present, must not specify other resources without subresources");
  }
});

/** A rule of a webhook or policy: operations and resources. */
export const operationsRule: Rule<RuleWithOperations> = fields({
  operations: all(withStar('operations'), each(supported(...operations))),
  apiGroups: withStar('API groups'),
  apiVersions: all(withStar('API versions'), each(required())),
  resources,
  scope: oneOf('*', 'Cluster', 'Namespaced'),
});

/** One of some strings; an empty one is invalid. */
export function supported(...texts: readonly string[]): Rule<string> {
  return (value = '', at) => {
    if (!texts.includes(value)) at.unsupported(value, texts);
  };
}

/** The matchConditions of a webhook, or of a policy, which may have params. */
export function matchConditions(hasParams = false): Rule<readonly MatchCondition[]> {
  const condition: Rule<MatchCondition> = given(({ expression, name }, at) => {
    const trimmed = expression.trim();
    const { program } = compileMatchCondition(trimmed, hasParams);
    if (trimmed === '') at.required(undefined, 'expression');
    else if (typeof program === 'string') at.invalid(trimmed, program, 'expression');
    at.inside('name', name, requiredText(qualifiedNameProblem));
  });
  return (list = [], at) => {
    if (list.length > 64) at.tooMany(list.length, 64);
    each(condition)(list, at);
    unique<MatchCondition>('name')(list, at);
  };
}
