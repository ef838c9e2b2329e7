// SPDX-License-Identifier: Apache-2.0
import { FieldPath } from '../errors/field-path.ts';
import { mapFields, mapItems, type JsonObject } from '../objects/json.ts';
import type { KubeObject } from '../objects/object.ts';
import type { Schema } from './schema.ts';
import { objectShape, type Shape } from './shape.ts';

/** The most unknown fields that are reported, as in Go's decoder. */
export const maxReported = 100;

/**
 * The object without unknown fields, and their paths (`spec.containers[0].imge`); meaningless nulls are dropped silently.
 * The object itself when nothing is dropped.
 */
export function prune<T extends KubeObject>(object: T, schema: Schema): { object: T; dropped: string[] } {
  const path = new FieldPath();
  const dropped: string[] = [];

  function pruned(value: unknown, shape: Shape): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return mapItems(value, prunedInside, shape.items);
    return mapFields(value as JsonObject, prunedField, shape.isResource ? objectShape(shape.schema) : shape);
  }

  function prunedField(value: unknown, name: string, shape: Shape): unknown {
    const inside = shape.inside(name);
    if (inside === undefined) {
      if (dropped.length < maxReported) dropped.push(path.toString(name));
      return undefined;
    }
    if (typeof value !== 'object') return value;
    if (value === null) return isNothing(inside) ? undefined : value;
    return prunedInside(value, name, inside);
  }

  function prunedInside(value: unknown, step: string | number, shape: Shape): unknown {
    path.enter(step);
    const kept = pruned(value, shape);
    path.leave();
    return kept;
  }

  return { object: pruned(object, objectShape(schema)) as T, dropped };
}

/** Whether null is dropped: the field is not nullable and has no default. */
function isNothing({ schema }: Shape): boolean {
  return schema.type !== undefined && schema.nullable !== true && schema.default === undefined;
}
