// SPDX-License-Identifier: Apache-2.0
import type { Schema, ValidationRule } from './schema.ts';

/** The rules of a schema. */
export type Rules = Pick<Schema, 'x-kubernetes-validations'>;

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

/**
 * As `fieldRule`, for a rule that objects may break already: while these fields stay as they are, the first of which is
 * reported, their status and finalizers can still be written.
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
