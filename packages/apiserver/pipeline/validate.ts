// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '@forge/kube/field-error.ts';
import { validate as validateSchema } from '@forge/kube/validate.ts';
import { invalid } from '../refusal.ts';
import { validateMetadata } from '../validation/validate-metadata.ts';
import type { WriteStep } from './write.ts';

/** Refuses an object that breaks the rules of its metadata, its schema or its kind, telling all of them at once. */
export const validate: WriteStep = ({ resource: { kind, strategy, custom }, object, before }) => {
  const errors: FieldError[] = [
    ...validateMetadata(kind, object, before),
    // A built-in object has been read as its type, which is its schema.
    ...(custom ? validateSchema(object, kind.schema) : []),
    ...(strategy.validate?.(object, before) ?? []),
  ];
  if (errors.length > 0) throw invalid(kind, object.metadata.name, errors);
  return object;
};
