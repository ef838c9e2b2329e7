// SPDX-License-Identifier: Apache-2.0
import { mapFields, mapItems, type JsonObject } from './json.ts';
import type { KubeObject } from './object.ts';
import type { Schema } from './schema.ts';
import { objectShape, type Shape } from './shape.ts';

/** The object with its schema's defaults where a field is missing, or null without being nullable; shares the rest. */
export function applyDefaults<T extends KubeObject>(object: T, schema: Schema): T {
  return defaulted(object, objectShape(schema)) as T;
}

function defaulted(value: unknown, shape: Shape): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return mapItems(value, (item) => defaulted(item, shape.items));
  return mapFields(completed(value as JsonObject, shape), (inner, name) => {
    if (typeof inner !== 'object') return inner;
    const inside = shape.inside(name);
    return inside === undefined ? inner : defaulted(inner, inside);
  });
}

/** The object with a value in every field that has a default. */
function completed(object: JsonObject, shape: Shape): JsonObject {
  let copy: Record<string, unknown> | undefined;
  for (const { name, shape: inside } of shape.defaults) {
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (value === undefined || (value === null && inside.schema.nullable !== true)) {
      (copy ??= { ...object })[name] = inside.schema.default;
    }
  }
  return copy ?? object;
}
