// SPDX-License-Identifier: Apache-2.0
import { jsonEqual, type JsonObject, mapFields, mapItems, setField } from '../objects/json.ts';
import { anything, type Shape } from '../schema/shape.ts';
import { type FieldSet, isMember, leaf } from './field-set.ts';
import { isGranularList, isGranularObject } from './fields-of.ts';
import { haveSameKeys, itemsByEdge } from './list-items.ts';

/** The live value merged with the applied one; the live value itself when that changes nothing. */
export function mergeApplied(live: unknown, applied: unknown, shape: Shape): unknown {
  if (live === undefined || live === applied) return applied;
  if (isGranularObject(live, shape) && isGranularObject(applied, shape)) return mergeObjects(live, applied, shape);
  if (isGranularList(live, shape) && isGranularList(applied, shape)) return mergeLists(live, applied, shape);
  return jsonEqual(live, applied) ? live : applied;
}

function mergeObjects(live: JsonObject, applied: JsonObject, shape: Shape): JsonObject {
  let copy: Record<string, unknown> | undefined;
  for (const name in applied) {
    const current = Object.hasOwn(live, name) ? live[name] : undefined;
    const merged = mergeApplied(current, applied[name], shape.inside(name) ?? anything);
    if (merged !== current) setField((copy ??= { ...live }), name, merged);
  }
  return copy ?? live;
}

function mergeLists(live: readonly unknown[], applied: readonly unknown[], shape: Shape): readonly unknown[] {
  if (!haveSameKeys(live, applied, shape)) return interleave(live, applied, shape);
  return mapItems(live, (item, index) => mergeApplied(item, applied[index], shape.items));
}

/** Applied items keep their order; every other live item stays before the applied item that followed it. */
function interleave(live: readonly unknown[], applied: readonly unknown[], shape: Shape): readonly unknown[] {
  const liveItems = itemsByEdge(live, shape);
  const appliedItems = [...itemsByEdge(applied, shape)].map(([edge, [item]]) => ({
    edge,
    isShared: liveItems.has(edge),
    value: mergeApplied(onlyOne(liveItems.get(edge)), item, shape.items),
  }));
  const edges = new Set(appliedItems.map(({ edge }) => edge));
  const result: unknown[] = [];
  let taken = 0;
  let next = 0;
  for (const [edge, items] of liveItems) {
    if (!edges.has(edge)) {
      result.push(...items);
      continue;
    }
    while (appliedItems[next]?.isShared === false) next += 1;
    if (appliedItems[next]?.edge !== edge) continue;
    next += 1;
    for (; taken < next; taken += 1) result.push(appliedItems[taken]?.value);
  }
  for (; taken < appliedItems.length; taken += 1) result.push(appliedItems[taken]?.value);
  return result.length === live.length && result.every((item, index) => item === live[index]) ? live : result;
}

function onlyOne(items: readonly unknown[] | undefined): unknown {
  return items?.length === 1 ? items[0] : undefined;
}

/**
 * The value without the dropped fields, except those that another manager owns; the value itself when none is removed.
 * An object or list left empty becomes null, as on a real server.
 */
export function removeFields(value: unknown, shape: Shape, dropped: FieldSet, kept: FieldSet): unknown {
  if (isGranularObject(value, shape)) {
    const left = mapFields(value, (inner, name) => {
      const field = shape.field(name);
      const edge = field?.edge ?? `f:${name}`;
      // A struct is removed with its last owned field; a map entry only when it was owned itself.
      return remaining(inner, field?.shape ?? shape.rest ?? anything, dropped[edge], kept[edge], field !== undefined);
    });
    return left === value || Object.keys(left).length > 0 ? left : null;
  }
  if (!isGranularList(value, shape)) return value;
  const left = [...itemsByEdge(value, shape)].flatMap(([edge, items]) =>
    items.flatMap((item) => remaining(item, shape.items, dropped[edge], kept[edge], false) ?? []),
  );
  if (left.length === value.length && left.every((item, index) => item === value[index])) return value;
  return left.length > 0 ? left : null;
}

function remaining(
  value: unknown,
  shape: Shape,
  dropped: FieldSet | undefined,
  kept: FieldSet | undefined,
  isDeclared: boolean,
): unknown {
  if (dropped === undefined) return value;
  const isIn = (node: FieldSet | undefined): boolean => node !== undefined && (isDeclared || isMember(node));
  return isIn(dropped) && !isIn(kept) ? undefined : removeFields(value, shape, dropped, kept ?? leaf);
}
