// SPDX-License-Identifier: Apache-2.0
import type { Schema } from './schema.ts';

/** Sentences about the fields of a schema, by path: `to[].ipBlock.cidr`, `limits{}`. */
export type FieldSentences = Readonly<Record<string, string>>;

/** Further bounds of fields, by path. */
export type FieldBounds = Readonly<Record<string, Pick<Schema, 'enum' | 'pattern'>>>;

/** The schema of one of Kubernetes' own types, with a sentence on every field: their recorded schemas carry none. */
export function describeFields(schema: Schema, sentences: FieldSentences, bounds: FieldBounds = {}): Schema {
  return annotated(schema, '', (path) => ({
    ...(sentences[path] !== undefined && { description: sentences[path] }),
    ...bounds[path],
  }));
}

function annotated(schema: Schema, path: string, notes: (path: string) => Schema): Schema {
  const { properties, items, additionalProperties } = schema;
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  return {
    ...schema,
    ...notes(path),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, child]) => [name, annotated(child, below(name), notes)]),
      ),
    }),
    ...(items !== undefined && { items: annotated(items, `${path}[]`, notes) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: annotated(additionalProperties, `${path}{}`, notes),
    }),
  };
}
