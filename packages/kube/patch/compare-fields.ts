// SPDX-License-Identifier: Apache-2.0
import { jsonEqual, type JsonObject } from '../objects/json.ts';
import { anything, type Shape, zeroOf } from '../schema/shape.ts';
import { type FieldSet, isEmpty, leaf } from './field-set.ts';
import { allFields, isGranularList, isGranularObject } from './fields-of.ts';
import { haveSameKeys, itemsByEdge } from './list-items.ts';

/** The changes of a write: fields set or added, and fields removed. */
export interface FieldChanges {
  changed: FieldSet;
  removed: FieldSet;
}

/** How the second value differs from the first, by the fields of the schema. */
export function compareFields(before: unknown, after: unknown, shape: Shape): FieldChanges {
  const { changed = leaf, removed = leaf } = differences(before, after, shape) ?? {};
  return { changed, removed };
}

/** Whether the second value sets any field differently; stops at the first one. */
export function setsAnyField(before: unknown, after: unknown, shape: Shape): boolean {
  if (before === undefined) return after !== undefined;
  if (!isGranularObject(before, shape) || !isGranularObject(after, shape)) {
    return differences(before, after, shape)?.changed !== undefined;
  }
  for (const name in after) {
    const inside = shape.inside(name) ?? anything;
    if (setsAnyField(fieldBefore(before, name, inside), after[name], inside)) return true;
  }
  return false;
}

function differences(before: unknown, after: unknown, shape: Shape): Partial<FieldChanges> | undefined {
  if (before === after) return undefined;
  if (before === undefined) return { changed: allFields(after, shape) };
  if (after === undefined) return { removed: allFields(before, shape) };
  // Null is treated as an empty list or object, depending on the other value.
  if (isGranularList(before ?? after, shape) && isGranularList(after ?? before, shape)) {
    return listDifferences((before ?? []) as readonly unknown[], (after ?? []) as readonly unknown[], shape);
  }
  if (isGranularObject(before ?? after, shape) && isGranularObject(after ?? before, shape)) {
    return objectDifferences((before ?? {}) as JsonObject, (after ?? {}) as JsonObject, shape);
  }
  if (jsonEqual(before, after)) return undefined;
  const gone = allFields(before, shape);
  return { changed: allFields(after, shape), ...(!isEmpty(gone) && { removed: gone }) };
}

function objectDifferences(before: JsonObject, after: JsonObject, shape: Shape): Partial<FieldChanges> {
  const sum = new ChangeCollector();
  for (const name in after) {
    const field = shape.field(name);
    const inside = field?.shape ?? shape.rest ?? anything;
    const old = fieldBefore(before, name, inside);
    if (old !== after[name]) sum.add(field?.edge ?? `f:${name}`, differences(old, after[name], inside));
  }
  for (const name in before) {
    if (Object.hasOwn(after, name)) continue;
    const inside = shape.inside(name) ?? anything;
    sum.add(`f:${name}`, differences(before[name], zeroOf(inside), inside));
  }
  return sum;
}

/** The old value of the field, else its zero value. */
function fieldBefore(before: JsonObject, name: string, inside: Shape): unknown {
  return Object.hasOwn(before, name) ? before[name] : zeroOf(inside);
}

function listDifferences(
  before: readonly unknown[],
  after: readonly unknown[],
  shape: Shape,
): Partial<FieldChanges> | undefined {
  if (haveSameKeys(before, after, shape) && jsonEqual(before, after)) return undefined;
  const sum = new ChangeCollector();
  const old = itemsByEdge(before, shape);
  for (const [edge, items] of itemsByEdge(after, shape)) {
    const known = old.get(edge);
    old.delete(edge);
    if (items.length > 1 || (known !== undefined && known.length > 1)) {
      if (!jsonEqual(items, known)) sum.add(edge, { changed: leaf });
    } else {
      sum.add(edge, differences(known?.[0], items[0], shape.items));
    }
  }
  for (const [edge, [item, ...again]] of old) {
    sum.add(edge, { removed: again.length > 0 ? leaf : allFields(item, shape.items) });
  }
  return sum;
}

/** The changes of several parts together. */
class ChangeCollector implements Partial<FieldChanges> {
  changed?: Record<string, FieldSet>;
  removed?: Record<string, FieldSet>;

  add(edge: string, changes: Partial<FieldChanges> | undefined): void {
    if (changes?.changed !== undefined) (this.changed ??= {})[edge] = changes.changed;
    if (changes?.removed !== undefined) (this.removed ??= {})[edge] = changes.removed;
  }
}
