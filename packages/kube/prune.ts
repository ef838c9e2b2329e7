// SPDX-License-Identifier: Apache-2.0
import { isObject, mapFields, mapItems } from './json.ts';
import { fieldSchema, objectSchema } from './object-schema.ts';
import type { KubeObject } from './object.ts';
import type { Schema } from './schema.ts';

/**
 * The object without the fields its kind does not know, and where they were (`spec.containers[0].imge`). The object
 * itself when it knows all of them.
 */
export function prune<T extends KubeObject>(object: T, schema: Schema): { object: T; dropped: string[] } {
  const dropped: string[] = [];
  return { object: pruned(object, objectSchema(schema), '', dropped) as T, dropped };
}

function pruned(value: unknown, schema: Schema, path: string, dropped: string[]): unknown {
  if (Array.isArray(value)) {
    return mapItems(value, (item, index) => pruned(item, schema.items ?? {}, `${path}[${index}]`, dropped));
  }
  if (!isObject(value)) return value;
  const known = schema['x-kubernetes-embedded-resource'] === true ? objectSchema(schema) : schema;
  return mapFields(value, (inner, field) => {
    const place = path === '' ? field : `${path}.${field}`;
    if (isKnown(known, field)) return pruned(inner, fieldSchema(known, field), place, dropped);
    dropped.push(place);
    return undefined;
  });
}

function isKnown(schema: Schema, field: string): boolean {
  const { properties, additionalProperties = false } = schema;
  const isOpen = additionalProperties !== false || schema['x-kubernetes-preserve-unknown-fields'] === true;
  return isOpen || (properties !== undefined && Object.hasOwn(properties, field));
}
