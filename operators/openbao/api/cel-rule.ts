// SPDX-License-Identifier: Apache-2.0
import { fieldRule, type Rules } from '@forge/kube/schema/rules.ts';

/** A rule in CEL, which the schema and the admission policy share. */
export interface CelRule {
  /** True when it holds. */
  readonly expression: string;
  readonly message: string;
  /** A message that names the key. */
  readonly messageExpression?: string;
}

/** The rule in a schema, reported for this field below the value, or for the value itself. */
export function schemaRule({ expression, message, messageExpression }: CelRule, field?: string): Rules {
  const text = { message, ...(messageExpression !== undefined && { messageExpression }) };
  return field === undefined
    ? { 'x-kubernetes-validations': [{ rule: expression, ...text }] }
    : fieldRule(field, expression, text);
}
