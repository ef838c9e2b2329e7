// SPDX-License-Identifier: Apache-2.0
import { isObject, mapFields, mapItems, withField } from './json.ts';
import { fieldSchema, objectSchema } from './object-schema.ts';
import type { KubeObject } from './object.ts';
import type { Schema } from './schema.ts';

/** The object with its schema's defaults where a field is missing, or null without being nullable; shares the rest. */
export function applyDefaults<T extends KubeObject>(object: T, schema: Schema): T {
  return defaulted(object, objectSchema(schema)) as T;
}

function defaulted(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) return mapItems(value, (item) => defaulted(item, schema.items ?? {}));
  if (!isObject(value)) return value;
  let result = value;
  for (const { field, nullable, fallback } of defaultsOf(schema)) {
    const isMissing = !Object.hasOwn(value, field) || (value[field] === null && !nullable);
    if (isMissing) result = withField(result, field, fallback);
  }
  return mapFields(result, (inner, field) => {
    const inside = fieldSchema(schema, field);
    const isNothing = inner === null && inside.type !== undefined && inside.nullable !== true;
    return isNothing ? undefined : defaulted(inner, inside);
  });
}

interface Default {
  field: string;
  nullable: boolean;
  fallback: unknown;
}

const known = new WeakMap<Schema, Default[]>();

/** The defaults of an object's fields; looked up once, since most schemas have many fields and few defaults. */
function defaultsOf(schema: Schema): Default[] {
  const ready = known.get(schema);
  if (ready !== undefined) return ready;
  const defaults = Object.entries(schema.properties ?? {}).flatMap(([field, { default: fallback, nullable = false }]) =>
    fallback === undefined ? [] : [{ field, nullable, fallback }],
  );
  known.set(schema, defaults);
  return defaults;
}
