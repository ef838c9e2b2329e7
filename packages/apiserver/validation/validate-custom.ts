// SPDX-License-Identifier: Apache-2.0
import { invalidValue, type FieldError } from '@forge/kube/errors/field-error.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { validate } from '@forge/kube/schema/validate.ts';
import { hasRules, validateRules } from '../cel/rules/validate-rules.ts';

/** Errors after which CEL rules are skipped. */
const blocking: ReadonlySet<FieldError['reason']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/** Validates a custom resource by its schema, and by its CEL rules when the structure is valid. */
export function validateCustom(
  object: KubeObject,
  before: KubeObject | undefined,
  schema: Schema,
  warn: (warning: string) => void,
): FieldError[] {
  const errors = validate(object, schema, before);
  if (!hasRules(schema)) return errors;
  if (errors.some(({ reason }) => blocking.has(reason))) {
    const skipped = 'some validation rules were not checked because the object was invalid';
    return [...errors, invalidValue('<nil>', null, `${skipped}; correct the existing errors to complete validation`)];
  }
  const old = before === undefined ? {} : { old: { ...before } };
  return [...errors, ...validateRules({ schema, object: { ...object }, ...old, warn })];
}
