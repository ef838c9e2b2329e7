// SPDX-License-Identifier: Apache-2.0
import { isFull, maxFieldErrors, type FieldError } from '@forge/kube/errors/field-error.ts';
import { errorWithoutField } from '@forge/kube/schema/value-rules.ts';
import { invalid } from '../messages/status-errors.ts';
import type { WriteStep } from '../request/write.ts';
import { storedGroup } from '../resources/resource.ts';
import { validateCustom } from '../validation/validate-custom.ts';
import { validateMetadata } from '../validation/validate-metadata.ts';

/** Validates metadata, schema and kind; throws all errors at once. */
export const validate: WriteStep = ({ resource, subresource, object, before, warn }) => {
  const { kind, strategy, custom } = resource;
  const errors: FieldError[] = [
    ...validateMetadata({ kind, custom, subresource }, object.metadata, before?.metadata),
    // Built-in kinds were validated by decoding.
    ...(custom ? validateCustom(object, before, kind.schema, warn) : []),
    ...(strategy.validate?.(object, before, subresource) ?? []),
  ];
  if (errors.length > 0) {
    throw invalid({ kind: kind.kind, group: storedGroup(resource) }, object.metadata.name, reported(errors));
  }
  if (subresource !== 'status') strategy.warnings?.(object, warn, before);
  return object;
};

/** The errors that are reported: all, unless there are too many. */
function reported(errors: readonly FieldError[]): readonly FieldError[] {
  if (!isFull(errors)) return errors;
  const rest = errorWithoutField(`too many errors: only the first ${maxFieldErrors} are reported`);
  return [...errors.slice(0, maxFieldErrors), rest];
}
