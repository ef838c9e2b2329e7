// SPDX-License-Identifier: Apache-2.0
import { jsonEqual } from '../json.ts';
import type { Schema } from '../schema.ts';
import { type FieldSet, isEmpty } from './field-set.ts';
import { everyField, isDivided, partsOf } from './fields-of.ts';

/** What a write did to an object: fields set to another value or added, and fields taken away. */
export interface FieldChanges {
  changed: FieldSet;
  removed: FieldSet;
}

/** How the second value differs from the first, field by field as the schema divides them. */
export function compareFields(before: unknown, after: unknown, schema: Schema): FieldChanges {
  const { changed = {}, removed = {} } = differences(before, after, schema);
  return { changed, removed };
}

function differences(before: unknown, after: unknown, schema: Schema): Partial<FieldChanges> {
  if (before === after) return {};
  if (before === undefined) return { changed: everyField(after, schema) };
  if (after === undefined) return { removed: everyField(before, schema) };
  if (!isDivided(before, schema) && !isDivided(after, schema)) return jsonEqual(before, after) ? {} : { changed: {} };
  if (!isDivided(before, schema) || !isDivided(after, schema) || Array.isArray(before) !== Array.isArray(after)) {
    return { changed: everyField(after, schema), removed: everyField(before, schema) };
  }
  const changed: Record<string, FieldSet> = {};
  const removed: Record<string, FieldSet> = {};
  const old = new Map(partsOf(before, schema).map((part) => [part.edge, part]));
  for (const part of partsOf(after, schema)) {
    const inner = differences(old.get(part.edge)?.value, part.value, part.schema);
    if (inner.changed !== undefined) changed[part.edge] = inner.changed;
    if (inner.removed !== undefined) removed[part.edge] = inner.removed;
    old.delete(part.edge);
  }
  for (const part of old.values()) removed[part.edge] = everyField(part.value, part.schema);
  return { ...(!isEmpty(changed) && { changed }), ...(!isEmpty(removed) && { removed }) };
}
