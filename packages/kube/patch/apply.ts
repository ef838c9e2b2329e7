// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '../objects/json.ts';
import type { KubeObject } from '../objects/object.ts';
import type { Schema } from '../schema/schema.ts';
import { objectShape, type Shape } from '../schema/shape.ts';
import { compareFields } from './compare-fields.ts';
import { type Conflict, conflictsWith } from './conflict.ts';
import { difference, type FieldSet, isEmpty, leaf, sameFields, unionOf } from './field-set.ts';
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

/** The manager of `kubectl apply --server-side`, which may take over fields of client-side `kubectl apply`. */
const kubectl = 'kubectl';

/** Fields that are never removed. */
const identity: FieldSet = { 'f:metadata': { 'f:name': leaf } };

/**
 * Server-side apply: merges the applied fields into the live object, removes those the manager applied before and no
 * longer does, and updates managedFields.
 *
 * Guarantees: inputs are never modified; an apply that changes nothing returns the live object itself; with conflicts
 * and without force the object is the live one.
 */
export function applyPatch(input: AppliedObject): AppliedResult {
  const steps = applySteps(input);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** An object to apply, and the live object if it exists. */
type AppliedObject = Writer & { live: KubeObject | undefined; applied: KubeObject; schema: Schema; force: boolean };

interface AppliedResult {
  object: KubeObject;
  conflicts: Conflict[];
}

/** The same in steps: for large objects, other requests must be served in between. */
export function* applySteps(input: AppliedObject): Generator<void, AppliedResult, void> {
  const { live, applied, force, manager, time } = input;
  const shape = objectShape(input.schema);
  const writer = writerOf('Apply', applied.apiVersion, input);

  const wanted = claim(applied, input.subresource);
  const known = live === undefined ? [] : ownersOf(live, shape, input);
  const last = known.find((entry) => isSameManager(entry, writer));
  const others = known.filter((entry) => entry !== last);
  const fields = unlessSame(last?.fields, claimedFields(wanted, shape));
  yield;

  const base = live ?? identityOf(applied);
  const merged = mergeApplied(base, wanted, shape);
  yield;
  const dropped = difference(last?.fields ?? leaf, fields);
  const object = (
    isEmpty(dropped)
      ? merged
      : removeFields(merged, shape, dropped, unionOf([fields, identity, ...others.map((other) => other.fields)]))
  ) as KubeObject;
  if (object === live) {
    const entry = { ...writer, fields, ...timeOf(last) };
    return { object: withManagers(object, isEmpty(fields) ? others : [...others, entry]), conflicts: [] };
  }

  yield;
  const { changed, removed } = compareFields(ownableFields(base), ownableFields(object), shape);
  yield;
  const isUpgrade = manager === kubectl && live !== undefined;
  const contested = isUpgrade ? difference(changed, lastAppliedFields(live, shape)) : changed;
  const conflicts = force ? [] : others.flatMap((other) => conflictsWith(other, contested));
  if (conflicts.length > 0) return { object: base, conflicts };
  const entry = { ...writer, time, fields };
  const managers = [...withoutFields(others, changed, removed), ...(isEmpty(fields) ? [] : [entry])];
  return { object: withManagers(isUpgrade ? withLastApplied(object, applied) : object, managers), conflicts: [] };
}

/** The old set when it has the same members, so that later comparisons are by identity. */
function unlessSame(before: FieldSet = leaf, now: FieldSet): FieldSet {
  return sameFields(before, now) ? before : now;
}

/** The time of the manager's last change; co-owning existing values is not a change. */
function timeOf(last: FieldManager | undefined): { time?: string } {
  return last?.time === undefined ? {} : { time: last.time };
}

/** The managers of a live object; an untracked one is owned by `before-first-apply`. */
function ownersOf(live: KubeObject, shape: Shape, { time, subresource }: Writer): FieldManager[] {
  if (live.metadata.managedFields !== undefined) return managersOf(live);
  const { changed: fields } = compareFields(shape.zero, ownableFields(live), shape);
  if (isEmpty(fields)) return [];
  const writer = { manager: 'before-first-apply', time, ...(subresource !== undefined && { subresource }) };
  return [{ ...writerOf('Update', live.apiVersion, writer), time, fields }];
}

/** The fields that an applied object claims; on the status subresource, only status. */
function claim(applied: KubeObject, subresource: string | undefined): JsonObject {
  const { metadata, ...rest } = ownableFields(applied);
  if (subresource === 'status') return 'status' in rest ? { status: rest['status'] } : {};
  return isObject(metadata) && Object.keys(metadata).length > 0 ? { metadata, ...rest } : rest;
}

/** The object before its first apply: only its identity. */
function identityOf({ apiVersion, kind, metadata: { name, namespace } }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } };
}
