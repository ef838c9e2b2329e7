// SPDX-License-Identifier: Apache-2.0
import { isObject, jsonEqual, type JsonObject, withField } from '../json.ts';
import { fieldSchema } from '../object-schema.ts';
import type { Schema } from '../schema.ts';
import { type FieldSet, isMember } from './field-set.ts';
import { isDivided, type Part, partsOf } from './fields-of.ts';

/** The live value with what is applied laid over it; the live value itself when that changes nothing. */
export function mergeApplied(live: unknown, applied: unknown, schema: Schema): unknown {
  if (live === undefined || live === applied) return applied;
  if (!isDivided(live, schema) || !isDivided(applied, schema)) return jsonEqual(live, applied) ? live : applied;
  if (Array.isArray(live) && Array.isArray(applied)) return mergeLists(live, applied, schema);
  if (!isObject(live) || !isObject(applied)) return applied;
  let result: JsonObject = live;
  for (const field of Object.keys(applied)) {
    const current = Object.hasOwn(live, field) ? live[field] : undefined;
    result = withField(result, field, mergeApplied(current, applied[field], fieldSchema(schema, field)));
  }
  return result;
}

/** Applied items come in their order; each live one that is not applied keeps its place before the next that is. */
function mergeLists(live: readonly unknown[], applied: readonly unknown[], schema: Schema): readonly unknown[] {
  const theirs = partsOf(live, schema);
  const current = new Map(theirs.map(({ edge, value }) => [edge, value]));
  const mine = partsOf(applied, schema).map((part) => ({
    edge: part.edge,
    value: mergeApplied(current.get(part.edge), part.value, part.schema),
  }));
  const edges = new Set(mine.map(({ edge }) => edge));
  const result: unknown[] = [];
  let taken = 0;
  for (const { edge, value } of theirs) {
    const nextShared = mine.findIndex((item, index) => index >= taken && current.has(item.edge));
    if (!edges.has(edge)) {
      result.push(value);
    } else if (mine[nextShared]?.edge === edge) {
      result.push(...mine.slice(taken, nextShared + 1).map((item) => item.value));
      taken = nextShared + 1;
    }
  }
  result.push(...mine.slice(taken).map((item) => item.value));
  return result.length === live.length && result.every((item, index) => item === live[index]) ? live : result;
}

/** The value without the dropped fields, except those somebody still owns; the value itself when none goes. */
export function removeFields(value: unknown, schema: Schema, dropped: FieldSet, kept: FieldSet): unknown {
  const parts = partsOf(value, schema);
  const left = parts.flatMap((part) => {
    const node = dropped[part.edge];
    if (node === undefined) return [part];
    if (isIn(node, part) && !isIn(kept[part.edge], part)) return [];
    const inner = removeFields(part.value, part.schema, node, kept[part.edge] ?? {});
    return [inner === part.value ? part : { ...part, value: inner }];
  });
  if (left.length === parts.length && left.every((part, index) => part === parts[index])) return value;
  return Array.isArray(value)
    ? left.map((part) => part.value)
    : Object.fromEntries(left.map((part) => [part.edge.slice(2), part.value]));
}

/** A struct goes with its last owned field; a map's entry or a list's item only when it was owned itself. */
function isIn(node: FieldSet | undefined, part: Part): boolean {
  return node !== undefined && (part.isDeclared || isMember(node));
}
