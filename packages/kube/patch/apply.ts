// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '../json.ts';
import { objectSchema } from '../object-schema.ts';
import type { KubeObject } from '../object.ts';
import type { Schema } from '../schema.ts';
import { compareFields } from './compare-fields.ts';
import { type Conflict, conflictsWith } from './conflict.ts';
import { difference, isEmpty, union } from './field-set.ts';
import { claimedFields } from './fields-of.ts';
import { isSameManager, type Manager, managersOf, ownable, without, withManagers } from './managers.ts';
import { mergeApplied, removeFields } from './merge-applied.ts';

/** Who writes, and when. */
interface Writer {
  manager: string;
  time: string;
  subresource?: string;
}

/**
 * Server-side apply: lays the applied fields over the live object, takes away those the manager applied before and no
 * longer does, and records who owns what.
 *
 * Guarantees: inputs are never changed; an apply that changes nothing gives the live object itself; with conflicts and
 * without force the object is the live one.
 */
export function applyPatch(
  input: Writer & { live: KubeObject | undefined; applied: KubeObject; schema: Schema; force: boolean },
): { object: KubeObject; conflicts: Conflict[] } {
  const { live, applied, force } = input;
  const schema = objectSchema(input.schema);
  const writer = writerOf('Apply', applied.apiVersion, input);

  const wanted = claim(applied, input.subresource);
  const fields = claimedFields(wanted, schema);
  const known = live === undefined ? [] : ownersOf(live, schema, input.time);
  const last = known.find((entry) => isSameManager(entry, writer));
  const others = known.filter((entry) => entry !== last);

  const base = live ?? identityOf(applied);
  const merged = mergeApplied(base, wanted, schema);
  const dropped = difference(last?.fields ?? {}, fields);
  const object = (
    isEmpty(dropped)
      ? merged
      : removeFields(merged, schema, dropped, others.map((other) => other.fields).reduce(union, fields))
  ) as KubeObject;

  const { changed, removed } = compareFields(ownable(base), ownable(object), schema);
  const conflicts = others.flatMap((other) => conflictsWith(other, changed));
  if (conflicts.length > 0 && !force) return { object: base, conflicts };
  const isUnchanged = object === live;
  const mine = { ...writer, fields, ...(isUnchanged && last?.time !== undefined && { time: last.time }) };
  const managers = [...without(others, changed, removed), ...(isEmpty(fields) ? [] : [mine])];
  return { object: withManagers(object, managers), conflicts: [] };
}

/** The object after an ordinary write, with its managedFields kept true: who changed a field owns it from now on. */
export function trackUpdate(
  input: Writer & { before: KubeObject | undefined; after: KubeObject; schema: Schema },
): KubeObject {
  const { before, after } = input;
  const schema = objectSchema(input.schema);
  const writer = writerOf('Update', after.apiVersion, input);
  const known = managersOf(before);
  const own = known.find((entry) => isSameManager(entry, writer));
  const others = known.filter((entry) => entry !== own);
  const { changed, removed } = compareFields(
    before === undefined ? emptyObject(schema) : ownable(before),
    ownable(after),
    schema,
  );
  const mine = isEmpty(changed) ? own : { ...writer, fields: union(own?.fields ?? {}, changed) };
  return withManagers(after, [
    ...without(others, changed, removed),
    ...without(mine === undefined ? [] : [mine], removed),
  ]);
}

function writerOf(
  operation: Manager['operation'],
  apiVersion: string,
  { manager, time, subresource }: Writer,
): Omit<Manager, 'fields'> {
  return { manager, operation, apiVersion, time, ...(subresource !== undefined && { subresource }) };
}

/** The managers of a live object; one that nobody tracked yet belongs to those before us. */
function ownersOf(live: KubeObject, schema: Schema, time: string): Manager[] {
  if (live.metadata.managedFields !== undefined) return managersOf(live);
  const { changed: fields } = compareFields(emptyObject(schema), ownable(live), schema);
  return [{ manager: 'before-first-apply', operation: 'Update', apiVersion: live.apiVersion, time, fields }];
}

/** What an applied object lays claim to; on a subresource that is the field of its name alone. */
function claim(applied: KubeObject, subresource: string | undefined): JsonObject {
  const { metadata, ...rest } = ownable(applied);
  if (subresource !== undefined) return subresource in rest ? { [subresource]: rest[subresource] } : {};
  return isObject(metadata) && Object.keys(metadata).length > 0 ? { metadata, ...rest } : rest;
}

/** The object as a first apply begins it: its identity and nothing else. */
function identityOf({ apiVersion, kind, metadata: { name, namespace } }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } };
}

/** A new object before anybody wrote to it: the structs that are always there, empty. */
function emptyObject(schema: Schema): JsonObject {
  const structs = Object.entries(schema.properties ?? {}).filter(
    ([field, { default: value }]) => field === 'metadata' || (isObject(value) && Object.keys(value).length === 0),
  );
  return Object.fromEntries(structs.map(([field, struct]) => [field, emptyObject(struct)]));
}
