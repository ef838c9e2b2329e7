// SPDX-License-Identifier: Apache-2.0
import { isObject, jsonEqual, fieldOf } from '../objects/json.ts';
import type { Schema } from './schema.ts';

/** Whether a value differs from its old value. Data without a schema is always treated as changed. */
export function hasChanged(value: unknown, old: unknown, schema: Schema): boolean {
  if (Array.isArray(value) && Array.isArray(old)) {
    const { items = {} } = schema;
    const before = oldItems(schema, old);
    if (before === undefined) return !jsonEqual(value, old);
    const isNew = (item: unknown): boolean => hasChanged(item, before.get(listItemKey(schema, item) ?? ''), items);
    return value.length !== old.length || value.some(isNew);
  }
  if (!isObject(value) || !isObject(old)) return !jsonEqual(value, old);
  const names = Object.keys(value);
  return (
    names.length !== Object.keys(old).length ||
    names.some((name) => {
      const child = childSchema(schema, name);
      return child === undefined || !Object.hasOwn(old, name) || hasChanged(value[name], old[name], child);
    })
  );
}

/** The schema of a field: declared, or additionalProperties. */
export function childSchema({ properties, additionalProperties }: Schema, name: string): Schema | undefined {
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** The old items of a list by key; undefined when the list has no keys. */
export function oldItems(schema: Schema, old: unknown): ReadonlyMap<string, unknown> | undefined {
  if (schema['x-kubernetes-list-type'] !== 'map') return undefined;
  const items = new Map<string, unknown>();
  for (const item of Array.isArray(old) ? (old as unknown[]) : []) {
    const key = listItemKey(schema, item);
    if (key !== undefined && !items.has(key)) items.set(key, item);
  }
  return items;
}

/** The key of a list item; undefined when it lacks one of the key fields. */
export function listItemKey(schema: Schema, item: unknown): string | undefined {
  if (!isObject(item)) return undefined;
  const keys = (schema['x-kubernetes-list-map-keys'] ?? []).map((key) => fieldOf(item, key));
  return keys.includes(undefined) ? undefined : JSON.stringify(keys);
}
