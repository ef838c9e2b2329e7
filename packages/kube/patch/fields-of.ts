// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '../json.ts';
import { fieldSchema } from '../object-schema.ts';
import type { Schema } from '../schema.ts';
import type { FieldSet } from './field-set.ts';

/** One part of a value that can have an owner of its own. */
export interface Part {
  /** The way to it in a set of fields. */
  edge: string;
  value: unknown;
  schema: Schema;
  /** Declared by the schema, unlike a map's entry or a list's item. */
  isDeclared: boolean;
}

/** Whether a value's parts have owners of their own; scalars, atomic maps and atomic lists have one as a whole. */
export function isDivided(value: unknown, schema: Schema): value is JsonObject | readonly unknown[] {
  if (!Array.isArray(value)) return isObject(value) && schema['x-kubernetes-map-type'] !== 'atomic';
  const type = schema['x-kubernetes-list-type'];
  return type === 'map' || type === 'set';
}

/** The parts of a value; none when it is not divided. */
export function partsOf(value: unknown, schema: Schema): Part[] {
  if (!isDivided(value, schema)) return [];
  if (Array.isArray(value)) return itemsOf(value, schema);
  return Object.entries(value).map(([field, inner]) => {
    const isDeclared = schema.properties !== undefined && Object.hasOwn(schema.properties, field);
    return { edge: `f:${field}`, value: inner, schema: fieldSchema(schema, field), isDeclared };
  });
}

function itemsOf(list: readonly unknown[], schema: Schema): Part[] {
  const items = schema.items ?? {};
  const keys =
    schema['x-kubernetes-list-type'] === 'map' ? schema['x-kubernetes-list-map-keys']?.toSorted() : undefined;
  return list.map((value) => {
    const edge = keys === undefined ? `v:${JSON.stringify(value)}` : `k:{${keyText(value, keys, items)}}`;
    return { edge, value, schema: items, isDeclared: false };
  });
}

function keyText(item: unknown, keys: readonly string[], schema: Schema): string {
  const fields = isObject(item) ? item : {};
  return keys
    .map((key) => [key, fields[key] ?? schema.properties?.[key]?.default] as const)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
    .join(',');
}

/** The fields an applied value claims: leaves, map entries and list items, not the structs around them. */
export function claimedFields(value: unknown, schema: Schema): FieldSet {
  return fieldsOf(value, schema, true, false);
}

/** The value as a node of a set, with all that is in it, the structs too. */
export function everyField(value: unknown, schema: Schema): FieldSet {
  return fieldsOf(value, schema, false, true);
}

function fieldsOf(value: unknown, schema: Schema, isDeclared: boolean, withStructs: boolean): FieldSet {
  const parts = partsOf(value, schema);
  const isIn = (withStructs || !isDeclared) && parts.length > 0;
  const node: Record<string, FieldSet> = isIn ? { '.': {} } : {};
  for (const part of parts) node[part.edge] = fieldsOf(part.value, part.schema, part.isDeclared, withStructs);
  return node;
}
