// SPDX-License-Identifier: Apache-2.0
import { metadataSchema } from './kind-schema.ts';
import type { Schema } from './schema.ts';

const known = new WeakMap<Schema, Schema>();

/** The schema of whole objects of a kind: its own schema, with apiVersion, kind and metadata. */
export function objectSchema(schema: Schema): Schema {
  const ready = known.get(schema);
  if (ready !== undefined) return ready;
  const metadata: Schema = { ...metadataSchema(), zero: {} };
  const typeMeta = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata } as const;
  const whole: Schema = { ...schema, type: 'object', properties: { ...schema.properties, ...typeMeta } };
  known.set(schema, whole);
  return whole;
}

/** The schema of a field: declared, additionalProperties, or anything. */
export function fieldSchema(schema: Schema, field: string): Schema {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, field)) return properties[field] ?? anything;
  return typeof additionalProperties === 'object' ? additionalProperties : anything;
}

const anything: Schema = { 'x-kubernetes-preserve-unknown-fields': true };
