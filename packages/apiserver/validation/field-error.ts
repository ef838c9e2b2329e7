// SPDX-License-Identifier: Apache-2.0
import { invalidValue, type FieldError } from '@forge/kube/field-error.ts';

/** A field that may not change once it is set. */
export function immutable(field: string, value: unknown): FieldError {
  return invalidValue(field, value ?? null, 'field is immutable');
}

/** A value that must name something which is not there. */
export function notFoundValue(field: string, value: unknown): FieldError {
  return { field, reason: 'FieldValueNotFound', message: `Not found: ${JSON.stringify(value)}` };
}
