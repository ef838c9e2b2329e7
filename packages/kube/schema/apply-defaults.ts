// SPDX-License-Identifier: Apache-2.0
import { mapFields, mapItems, type JsonObject, setField } from '../objects/json.ts';
import type { KubeObject } from '../objects/object.ts';
import type { Schema } from './schema.ts';
import { objectShape, type Shape } from './shape.ts';

/** The object with its schema's defaults for fields that are missing, or null but not nullable; shares the rest. */
export function applyDefaults<T extends KubeObject>(object: T, schema: Schema): T {
  return defaulted(object, objectShape(schema)) as T;
}

function defaulted(value: unknown, shape: Shape): unknown {
  if (typeof value !== 'object' || value === null || !shape.hasDefaults) return value;
  if (Array.isArray(value)) return mapItems(value, defaultedItem, shape.items);
  return mapFields(withDefaults(value as JsonObject, shape), defaultedField, shape);
}

function defaultedItem(item: unknown, _index: number, shape: Shape): unknown {
  return defaulted(item, shape);
}

function defaultedField(value: unknown, name: string, shape: Shape): unknown {
  if (typeof value !== 'object') return value;
  const inside = shape.inside(name);
  return inside === undefined ? value : defaulted(value, inside);
}

/** The object with a value in each of its own fields that has a default. */
export function withDefaults(object: JsonObject, shape: Shape): JsonObject {
  let copy: Record<string, unknown> | undefined;
  for (const { name, shape: inside } of shape.defaults) {
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (value === undefined || (value === null && inside.schema.nullable !== true)) {
      setField((copy ??= { ...object }), name, inside.schema.default);
    }
  }
  return copy ?? object;
}
