// SPDX-License-Identifier: Apache-2.0
import { isObject, jsonEqual, type JsonObject, withFields, fieldOf } from '../objects/json.ts';
import { fieldSchema, objectSchema } from '../schema/object-schema.ts';
import type { Schema } from '../schema/schema.ts';
import { PatchError } from './patch-error.ts';

const orderDirective = '$setElementOrder/';
const deletionDirective = '$deleteFromPrimitiveList/';

/**
 * Strategic merge patch of an object of a built-in kind: lists merge by the merge key of their schema, and directives
 * such as `$patch: delete` are supported. Throws a PatchError for an invalid patch. Unchanged parts are shared.
 */
export function strategicMerge(original: unknown, patch: unknown, schema: Schema): unknown {
  if (!isObject(original) || !isObject(patch)) throw new PatchError('A strategic merge patch is an object');
  return mergeMap(original, patch, objectSchema(schema)) ?? {};
}

/** The merged map; undefined when the patch deletes it. */
function mergeMap(original: JsonObject, patch: JsonObject, schema: Schema): JsonObject | undefined {
  const { $patch: directive, $retainKeys: retained, ...changes } = patch;
  if (directive === 'delete') return undefined;
  if (directive === 'replace') return changes;
  if (directive !== undefined && directive !== 'merge') {
    throw new PatchError(`Unknown patch directive ${JSON.stringify(directive)}`);
  }
  const kept = retained === undefined ? original : retain(original, listOf(retained, '$retainKeys'));
  const merged = Array.from(fieldsOf(changes), (field) => {
    return [field, mergeField(fieldOf(kept, field), field, changes, fieldSchema(schema, field))] as const;
  });
  return withFields(kept, merged);
}

/** The fields that a patch changes, by value or by directive. */
function fieldsOf(changes: JsonObject): Set<string> {
  const names = Object.keys(changes).map((key) => {
    if (key.startsWith(orderDirective)) return key.slice(orderDirective.length);
    return key.startsWith(deletionDirective) ? key.slice(deletionDirective.length) : key;
  });
  return new Set(names);
}

function mergeField(original: unknown, field: string, changes: JsonObject, schema: Schema): unknown {
  const change = fieldOf(changes, field);
  const order = changes[orderDirective + field];
  const deletions = changes[deletionDirective + field];
  if (change === null) return undefined;
  const isMerged = schema['x-kubernetes-patch-strategy']?.split(',').includes('merge') === true;
  if (isMerged && (Array.isArray(change) || order !== undefined || deletions !== undefined)) {
    const lists = {
      original: original === undefined ? [] : listOf(original, field),
      patch: change === undefined ? [] : listOf(change, field),
      order: order === undefined ? undefined : listOf(order, orderDirective + field),
      deletions: deletions === undefined ? [] : listOf(deletions, deletionDirective + field),
    };
    return unlessEqual(original, mergeList(lists, schema));
  }
  if (change === undefined) return original;
  if (!isObject(change) || schema['x-kubernetes-patch-strategy'] === 'replace') return unlessEqual(original, change);
  return mergeMap(isObject(original) ? original : {}, change, schema);
}

interface Lists {
  original: readonly unknown[];
  patch: readonly unknown[];
  order: readonly unknown[] | undefined;
  deletions: readonly unknown[];
}

function mergeList({ original, patch, order, deletions }: Lists, schema: Schema): unknown[] {
  const mergeKey = schema['x-kubernetes-patch-merge-key'];
  if (mergeKey === undefined) {
    const deleted = new Set(deletions);
    const merged = [...original.filter((item) => !deleted.has(item)), ...patch];
    return inOrder(merged, order ?? patch, original, (item) => item);
  }
  const keyOf = (item: unknown): unknown => {
    const key = isObject(item) ? item[mergeKey] : undefined;
    if (key === undefined)
      throw new PatchError(`map: ${JSON.stringify(item)} does not contain declared merge key: ${mergeKey}`);
    return key;
  };
  const changes = patch.filter((item) => isObject(item) && !isReplaceMarker(item));
  if (changes.length < patch.length) return changes;
  const merged = Map.groupBy(original, keyOf);
  for (const change of changes as JsonObject[]) {
    const key = keyOf(change);
    const [first = {}, ...others] = merged.get(key) ?? [];
    const result = mergeMap(first as JsonObject, change, schema.items ?? {});
    if (result === undefined) merged.delete(key);
    else merged.set(key, [result, ...others]);
  }
  return inOrder([...merged.values()].flat(), order ?? patch, original, keyOf);
}

/** `- $patch: replace` as an item: the rest of the patch list replaces the list. */
function isReplaceMarker(item: JsonObject): boolean {
  return item['$patch'] === 'replace' && Object.keys(item).length === 1;
}

/** Items of the patch are in its order; other items stay before those that they preceded, otherwise they come last. */
function inOrder(
  merged: readonly unknown[],
  order: readonly unknown[],
  original: readonly unknown[],
  keyOf: (item: unknown) => unknown,
): unknown[] {
  const byKey = new Map(merged.map((item) => [keyOf(item), item]));
  const positions = new Map(original.map((item, index) => [keyOf(item), index]));
  const named = new Set(order.map(keyOf));
  const unnamed = [...byKey.keys()].filter((key) => !named.has(key));
  const result: unknown[] = [];
  let next = 0;
  for (const key of named) {
    if (!byKey.has(key)) continue;
    const position = positions.get(key) ?? -1;
    while (next < unnamed.length && (positions.get(unnamed[next]) ?? Infinity) < position) {
      result.push(unnamed[next]);
      next += 1;
    }
    result.push(key);
  }
  return [...result, ...unnamed.slice(next)].map((key) => byKey.get(key));
}

function retain(original: JsonObject, keys: readonly unknown[]): JsonObject {
  const kept = new Set(keys);
  const dropped = Object.keys(original).filter((key) => !kept.has(key));
  return withFields(
    original,
    dropped.map((key) => [key, undefined]),
  );
}

function unlessEqual(original: unknown, merged: unknown): unknown {
  return jsonEqual(original, merged) ? original : merged;
}

function listOf(value: unknown, field: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new PatchError(`${field} must be a list, not ${JSON.stringify(value)}`);
  return value;
}
