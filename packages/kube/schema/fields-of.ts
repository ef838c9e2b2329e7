// SPDX-License-Identifier: Apache-2.0
import type { Schema } from './schema.ts';

/** Every field of a schema, by its path: `.spec.servers[]`, `.spec.rules{}`. */
export function* fieldsOf(schema: Schema, path = ''): Generator<[path: string, field: Schema]> {
  yield [path, schema];
  for (const [name, field] of Object.entries(schema.properties ?? {})) yield* fieldsOf(field, `${path}.${name}`);
  if (schema.items !== undefined) yield* fieldsOf(schema.items, `${path}[]`);
  if (typeof schema.additionalProperties === 'object') yield* fieldsOf(schema.additionalProperties, `${path}{}`);
}
