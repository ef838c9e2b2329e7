// SPDX-License-Identifier: Apache-2.0
import { invalidValue, type FieldError } from '@forge/kube/errors/field-error.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { prune } from '@forge/kube/schema/prune.ts';
import type { Schema } from '@forge/kube/schema/schema.ts';
import { validateValue } from '@forge/kube/schema/validate.ts';
import { validateRules } from '../../cel/rules/validate-rules.ts';

/** Errors of default values in the schema of a definition. */
export function* defaultErrors(schema: Schema, field: string): Generator<FieldError> {
  const { properties = {}, additionalProperties, items, default: value } = schema;
  if (value !== undefined) yield* checkDefault(value, schema, `${field}.default`);
  for (const [name, child] of Object.entries(properties)) yield* defaultErrors(child, `${field}.properties[${name}]`);
  if (typeof additionalProperties === 'object') {
    yield* defaultErrors(additionalProperties, `${field}.additionalProperties`);
  }
  if (items !== undefined) yield* defaultErrors(items, `${field}.items`);
}

function* checkDefault(value: unknown, schema: Schema, field: string): Generator<FieldError> {
  // The value is wrapped in an object, since pruning and rules work on objects.
  const object = { value } as unknown as KubeObject;
  const whole: Schema = { type: 'object', properties: { value: schema } };
  if (prune(object, whole).dropped.length > 0) yield invalidValue(field, value, 'must not have unknown fields');
  const errors = validateValue(value, schema);
  for (const error of errors) yield { ...error, field: error.field === '' ? field : `${field}.${error.field}` };
  if (errors.length > 0) return;
  for (const error of validateRules({ schema: whole, object: { value } })) {
    yield { ...error, field: error.field.replace('value', field) };
  }
}
