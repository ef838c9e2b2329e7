// SPDX-License-Identifier: Apache-2.0
import { mapFields, mapItems, type JsonObject } from './json.ts';
import type { KubeObject } from './object.ts';
import { canonicalQuantity } from './quantity.ts';
import type { Schema } from './schema.ts';
import { anything, objectShape, type Shape } from './shape.ts';

/**
 * The object as a server keeps it that holds built-in kinds in Go structs: without nulls and optional empty lists and
 * maps, with what Go has in fields that must be there, quantities in their canonical form. The object itself when it is so
 * already.
 */
export function canonical<T extends KubeObject>(object: T, schema: Schema): T {
  return kept(object, objectShape(schema)) as T;
}

function kept(value: unknown, shape: Shape): unknown {
  if (shape.isQuantity) return keptQuantity(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return mapItems(value, (item) => kept(item, shape.items));
  const { properties, required } = shape.schema;
  if (properties === undefined && shape.rest === anything) return value;
  return mapFields(withZeros(value as JsonObject, shape), (content, name) => {
    const inside = shape.inside(name) ?? anything;
    if (typeof content !== 'object' && !inside.isQuantity) return content;
    const inner = kept(content, inside);
    if (inner === null) return undefined;
    return isEmptyCollection(inner, inside.schema) && required?.includes(name) !== true ? undefined : inner;
  });
}

/** A list that must be there is at least empty. */
function withZeros(object: JsonObject, { zero, schema: { properties } }: Shape): JsonObject {
  let copy: Record<string, unknown> | undefined;
  for (const name in zero) {
    if ((object[name] ?? null) !== null) continue;
    const value = zero[name] ?? (properties?.[name]?.type === 'array' ? [] : null);
    if (value !== null) (copy ??= { ...object })[name] = value;
  }
  return copy ?? object;
}

function isEmptyCollection(value: unknown, schema: Schema): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return schema.type === 'array' && value.length === 0;
  return schema.additionalProperties !== undefined && Object.keys(value).length === 0;
}

/** What is no quantity stays as it is: validation tells. */
function keptQuantity(value: unknown): unknown {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' ? (canonicalQuantity(text) ?? value) : value;
}
