// SPDX-License-Identifier: Apache-2.0
import type { Status } from './api-error.ts';
import type { FieldError } from './field-error.ts';

/** The Status of an invalid object, with all its field errors. */
export function invalidStatus(
  { group, kind }: { readonly group: string; readonly kind: string },
  // Undefined for an object that has no name yet, despite its type.
  name = '',
  errors: readonly FieldError[],
): Status {
  const texts = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `${kind}${group === '' ? '' : `.${group}`} "${name}" is invalid: ${list}`,
    reason: 'Invalid',
    details: {
      ...(name !== '' && { name }),
      ...(group !== '' && { group }),
      ...(kind !== '' && { kind }),
      causes: [...errors],
    },
    code: 422,
  };
}
