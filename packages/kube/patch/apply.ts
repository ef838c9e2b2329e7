// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '../objects/json.ts';
import type { KubeObject } from '../objects/object.ts';
import type { Schema } from '../schema/schema.ts';
import { objectShape, type Shape } from '../schema/shape.ts';
import { compareFields } from './compare-fields.ts';
import { type Conflict, conflictsWith } from './conflict.ts';
import { difference, type FieldSet, isEmpty, leaf, sameFields, union } from './field-set.ts';
import { claimedFields } from './fields-of.ts';
import { lastAppliedFields, withLastApplied } from './last-applied.ts';
import {
  isSameManager,
  type FieldManager,
  managersOf,
  ownableFields,
  withoutFields,
  withManagers,
  type Writer,
  writerOf,
} from './managers.ts';
import { mergeApplied, removeFields } from './merge-applied.ts';

/** The manager of `kubectl apply --server-side`, which may take over what `kubectl apply` has written. */
const kubectl = 'kubectl';

/** What an object keeps whoever lets go of it. */
const identity: FieldSet = { 'f:metadata': { 'f:name': leaf } };

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
  const { live, applied, force, manager, time } = input;
  const shape = objectShape(input.schema);
  const writer = writerOf('Apply', applied.apiVersion, input);

  const wanted = claim(applied, input.subresource);
  const known = live === undefined ? [] : ownersOf(live, shape, input);
  const last = known.find((entry) => isSameManager(entry, writer));
  const others = known.filter((entry) => entry !== last);
  const fields = unlessSame(last?.fields, claimedFields(wanted, shape));

  const base = live ?? identityOf(applied);
  const merged = mergeApplied(base, wanted, shape);
  const dropped = difference(last?.fields ?? leaf, fields);
  const object = (
    isEmpty(dropped)
      ? merged
      : removeFields(merged, shape, dropped, others.map((other) => other.fields).reduce(union, union(fields, identity)))
  ) as KubeObject;
  if (object === live) {
    const mine = { ...writer, fields, ...timeOf(last) };
    return { object: withManagers(object, isEmpty(fields) ? others : [...others, mine]), conflicts: [] };
  }

  const { changed, removed } = compareFields(ownableFields(base), ownableFields(object), shape);
  const isUpgrade = manager === kubectl && live !== undefined;
  const contested = isUpgrade ? difference(changed, lastAppliedFields(live, shape)) : changed;
  const conflicts = force ? [] : others.flatMap((other) => conflictsWith(other, contested));
  if (conflicts.length > 0) return { object: base, conflicts };
  const mine = { ...writer, time, fields };
  const managers = [...withoutFields(others, changed, removed), ...(isEmpty(fields) ? [] : [mine])];
  return { object: withManagers(isUpgrade ? withLastApplied(object, applied) : object, managers), conflicts: [] };
}

/** The set as it was when it has the same members: what follows need not look again. */
function unlessSame(before: FieldSet = leaf, now: FieldSet): FieldSet {
  return sameFields(before, now) ? before : now;
}

/** When the manager last changed something; taking a share in what is there already is no change. */
function timeOf(last: FieldManager | undefined): { time?: string } {
  return last?.time === undefined ? {} : { time: last.time };
}

/** The managers of a live object; one that nobody tracked yet belongs to those before us. */
function ownersOf(live: KubeObject, shape: Shape, { time, subresource }: Writer): FieldManager[] {
  if (live.metadata.managedFields !== undefined) return managersOf(live);
  const { changed: fields } = compareFields(shape.zero, ownableFields(live), shape);
  if (isEmpty(fields)) return [];
  const writer = { manager: 'before-first-apply', time, ...(subresource !== undefined && { subresource }) };
  return [{ ...writerOf('Update', live.apiVersion, writer), time, fields }];
}

/** What an applied object lays claim to; as a status, that alone. */
function claim(applied: KubeObject, subresource: string | undefined): JsonObject {
  const { metadata, ...rest } = ownableFields(applied);
  if (subresource === 'status') return 'status' in rest ? { status: rest['status'] } : {};
  return isObject(metadata) && Object.keys(metadata).length > 0 ? { metadata, ...rest } : rest;
}

/** The object as a first apply begins it: its identity and nothing else. */
function identityOf({ apiVersion, kind, metadata: { name, namespace } }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } };
}
