// SPDX-License-Identifier: Apache-2.0
import type { Schema, ValidationRule } from './schema.ts';

type Rules = Pick<Schema, 'x-kubernetes-validations'>;

/** Several rules about one value. */
export function rules(...each: readonly Rules[]): Rules {
  return { 'x-kubernetes-validations': each.flatMap((one) => one['x-kubernetes-validations'] ?? []) };
}

/** A rule about a field below the value, where more than that field decides. */
export function fieldRule(
  fieldPath: string,
  rule: string,
  message: Pick<ValidationRule, 'message' | 'messageExpression'>,
): Rules {
  return { 'x-kubernetes-validations': [{ rule, ...message, fieldPath }] };
}
