// SPDX-License-Identifier: Apache-2.0
import type { Schema, ValidationRule } from './schema.ts';

/** The rules of a schema. */
export type Rules = Pick<Schema, 'x-kubernetes-validations'>;

/** Several rules about one value. */
export function rules(...each: readonly Rules[]): Rules {
  return { 'x-kubernetes-validations': each.flatMap((one) => one['x-kubernetes-validations'] ?? []) };
}

/** A rule that is reported for a field below the value, but depends on other fields, too. */
export function fieldRule(
  fieldPath: string,
  rule: string,
  message: Pick<ValidationRule, 'message' | 'messageExpression'>,
): Rules {
  return { 'x-kubernetes-validations': [{ rule, ...message, fieldPath }] };
}

/**
 * Like `fieldRule`, for a rule that existing objects may violate: while these fields are unchanged, status and
 * finalizers of the objects can still be written. The first field is the reported one.
 */
export function ratchetingRule(
  fields: readonly [string, ...string[]],
  rule: string,
  message: Pick<ValidationRule, 'message' | 'messageExpression'>,
): Rules {
  const unchanged = fields.map((field) => `oldSelf.value()${field} == self${field}`).join(' && ');
  const [fieldPath] = fields;
  const ratcheting = `(${rule}) || (oldSelf.hasValue() && ${unchanged})`;
  return { 'x-kubernetes-validations': [{ rule: ratcheting, ...message, fieldPath, optionalOldSelf: true }] };
}
