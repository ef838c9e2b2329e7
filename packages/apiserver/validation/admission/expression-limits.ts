// SPDX-License-Identifier: Apache-2.0
import type { MutatingWebhook, ValidatingAdmissionPolicySpec } from '@forge/kube/generated/types.ts';

/** Limits on what the server compiles for one policy, or for one configuration of webhooks. */
const limits = { expressions: 1000, 'characters of expressions': 32 * 1024 };

/** Which limit expressions exceed; undefined when none. */
export function excessOf(expressions: readonly string[]): string | undefined {
  const found = {
    expressions: expressions.length,
    'characters of expressions': expressions.reduce((sum, { length }) => sum + length, 0),
  };
  const excess = (['expressions', 'characters of expressions'] as const).find((name) => found[name] > limits[name]);
  return excess && `too many ${excess}: ${found[excess]}, limit is ${limits[excess]}`;
}

/** All expressions of a policy. */
export function expressionsOfPolicy(spec: ValidatingAdmissionPolicySpec | undefined): string[] {
  const { matchConditions = [], variables = [], validations = [], auditAnnotations = [] } = spec ?? {};
  return [
    ...[...matchConditions, ...variables].map(({ expression }) => expression),
    ...validations.flatMap(({ expression, messageExpression }) =>
      messageExpression === undefined ? [expression] : [expression, messageExpression],
    ),
    ...auditAnnotations.map(({ valueExpression }) => valueExpression),
  ];
}

/** All expressions of a webhook. */
export function expressionsOfWebhook({ matchConditions = [] }: MutatingWebhook): string[] {
  return matchConditions.map(({ expression }) => expression);
}
