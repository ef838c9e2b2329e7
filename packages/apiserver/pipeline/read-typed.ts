// SPDX-License-Identifier: Apache-2.0
import { isObject, withField, type JsonObject } from '@forge/kube/json.ts';
import { fieldSchema, objectSchema } from '@forge/kube/object-schema.ts';
import type { KubeObject } from '@forge/kube/object.ts';
import type { Schema } from '@forge/kube/schema.ts';
import { validate } from '@forge/kube/validate.ts';
import { badRequest, invalid } from '../refusal.ts';
import type { WriteStep } from './write.ts';

/** Only the metadata of a custom resource is read as a type; the rest is checked against its schema in the end. */
const metadataOnly: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** Reads the object as its type, so that all later steps can rely on its shape. */
export const readTyped: WriteStep = ({ resource: { kind, custom }, object }) => {
  const schema = custom ? metadataOnly : kind.schema;
  const typed = normalized(object, objectSchema(schema)) as KubeObject;
  const errors = validate(typed, schema);
  const mistyped = errors.find(({ reason }) => reason === 'FieldValueTypeInvalid');
  if (mistyped !== undefined) {
    throw badRequest(
      `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${mistyped.field}: ${mistyped.message}`,
    );
  }
  if (errors.length > 0) throw invalid(kind, object.metadata.name, errors);
  return typed;
};

/** The value as a server built on Go structs keeps it: without nulls and optional empty lists and maps, quantities as text. */
function normalized(value: unknown, schema: Schema): unknown {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true && schema.properties === undefined) return value;
  if (Array.isArray(value)) {
    const kept = value.map((item) => normalized(item, schema.items ?? {}));
    return kept.every((item, index) => item === value[index]) ? value : kept;
  }
  if (schema.format === 'quantity') return canonicalQuantity(value);
  if (!isObject(value)) return value;
  let result: JsonObject = value;
  for (const [field, content] of Object.entries(value)) {
    const known = fieldSchema(schema, field);
    const kept = normalized(content, known);
    const vanishes = kept === null || (isEmptyCollection(kept, known) && schema.required?.includes(field) !== true);
    result = withField(result, field, vanishes ? undefined : kept);
  }
  return result;
}

function isEmptyCollection(value: unknown, schema: Schema): boolean {
  if (Array.isArray(value)) return schema.type === 'array' && value.length === 0;
  return isObject(value) && schema.additionalProperties !== undefined && Object.keys(value).length === 0;
}

/** Quantities are written in whole units, or in thousandths of one. */
function canonicalQuantity(value: unknown): unknown {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d+\.\d{1,3}$/.test(text)) return text;
  const thousandths = Math.round(Number(text) * 1000);
  return thousandths % 1000 === 0 ? String(thousandths / 1000) : `${thousandths}m`;
}
