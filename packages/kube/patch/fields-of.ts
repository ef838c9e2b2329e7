// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '../objects/json.ts';
import { anything, type Shape } from '../schema/shape.ts';
import { type FieldSet, leaf } from './field-set.ts';
import { edgeOf } from './list-items.ts';

/** Whether the fields of an object are owned separately (granular). */
export function isGranularObject(value: unknown, shape: Shape): value is JsonObject {
  return !shape.isAtomic && isObject(value);
}

/** Whether the items of a list are owned separately. */
export function isGranularList(value: unknown, shape: Shape): value is readonly unknown[] {
  return shape.isKeyed && Array.isArray(value);
}

/** The fields an applied value claims: leaves, map entries and list items, not the structs and lists around them. */
export function claimedFields(value: unknown, shape: Shape): FieldSet {
  return fieldsOf(value, shape, false, false) ?? leaf;
}

/** The value as a node of a set, with all fields, including structs and lists. */
export function allFields(value: unknown, shape: Shape): FieldSet {
  return fieldsOf(value, shape, true, true) ?? leaf;
}

/** The node of a value; undefined when nothing of it is in the set. */
function fieldsOf(value: unknown, shape: Shape, isIn: boolean, withStructs: boolean): FieldSet | undefined {
  if (isGranularObject(value, shape)) return fieldsOfObject(value, shape, isIn, withStructs);
  if (isGranularList(value, shape)) return fieldsOfList(value, shape, isIn, withStructs);
  return leaf;
}

function fieldsOfObject(object: JsonObject, shape: Shape, isIn: boolean, withStructs: boolean): FieldSet | undefined {
  const node: Record<string, FieldSet> = isIn ? { '.': leaf } : {};
  let isEmpty = true;
  let isAlone = true;
  for (const name in object) {
    isEmpty = false;
    const field = shape.field(name);
    const inner = fieldsOf(
      object[name],
      field?.shape ?? shape.rest ?? anything,
      withStructs || field === undefined,
      withStructs,
    );
    if (inner === undefined) continue;
    node[field?.edge ?? `f:${name}`] = inner;
    isAlone = false;
  }
  if (!isAlone) return node;
  return isIn || isEmpty ? leaf : undefined;
}

function fieldsOfList(
  list: readonly unknown[],
  shape: Shape,
  isIn: boolean,
  withStructs: boolean,
): FieldSet | undefined {
  if (list.length === 0) return isIn ? leaf : undefined;
  const node: Record<string, FieldSet> = isIn ? { '.': leaf } : {};
  for (const item of list) {
    const edge = edgeOf(item, shape);
    // Items with duplicate keys are owned together.
    node[edge] = edge in node ? leaf : (fieldsOf(item, shape.items, true, withStructs) ?? leaf);
  }
  return node;
}
