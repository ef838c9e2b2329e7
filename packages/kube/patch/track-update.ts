// SPDX-License-Identifier: Apache-2.0
import type { KubeObject, ManagedFieldsEntry } from '../objects/object.ts';
import type { Schema } from '../schema/schema.ts';
import { objectShape } from '../schema/shape.ts';
import { capManagers } from './cap-managers.ts';
import { compareFields, setsAnyField } from './compare-fields.ts';
import { type FieldSet, isEmpty, isFieldSet, leaf, union } from './field-set.ts';
import {
  isSameManager,
  managersOf,
  ownableFields,
  withoutFields,
  withManagers,
  withoutManagers,
  type Writer,
  writerOf,
} from './managers.ts';

/**
 * The object after an update, with managedFields updated: the writer owns the fields it changed. The writer may set
 * managedFields itself, except on a subresource; an empty list ends the tracking until the next apply.
 */
export function trackUpdate({
  before,
  ...input
}: Writer & { before: KubeObject | undefined; after: KubeObject; schema: Schema }): KubeObject {
  if (before === undefined) return trackCreate(input);
  const { time } = input;
  const shape = objectShape(input.schema);
  const after = withManagedFields(input.after, before, input.subresource);
  if ((after.metadata.managedFields ?? []).length === 0) return after;
  const known = managersOf(after);
  const writer = writerOf('Update', after.apiVersion, input);
  const own = known.find((entry) => isSameManager(entry, writer));
  const others = known.filter((entry) => entry !== own);
  const { changed, removed } = compareFields(ownableFields(before), ownableFields(after), shape);
  const kept = withoutFields(own === undefined ? [] : [own], removed);
  const fields = union(kept[0]?.fields ?? leaf, changed);
  const mine = isEmpty(changed) ? kept : [{ ...writer, time, fields }];
  return withManagers(after, capManagers([...withoutFields(others, changed, removed), ...mine]));
}

/** A new object, owned by its writer. The fields are computed on demand: most are never read. */
function trackCreate(input: Writer & { after: KubeObject; schema: Schema }): KubeObject {
  const shape = objectShape(input.schema);
  const object = withoutManagers(input.after);
  const own = ownableFields(object);
  if (!setsAnyField(shape.zero, own, shape)) return object;
  let fields: FieldSet | undefined;
  const entry: ManagedFieldsEntry = {
    ...writerOf('Update', object.apiVersion, input),
    time: input.time,
    fieldsType: 'FieldsV1',
    get fieldsV1() {
      return (fields ??= compareFields(shape.zero, own, shape).changed);
    },
  };
  return { ...object, metadata: { ...object.metadata, managedFields: [entry] } };
}

/** The object with the managedFields that its writer sent, else the old ones: omitting them must not lose them. */
function withManagedFields(after: KubeObject, before: KubeObject, subresource: string | undefined): KubeObject {
  const { managedFields } = before.metadata;
  const { managedFields: sent = managedFields } = after.metadata;
  const isExplicit = subresource === undefined && sent !== managedFields;
  if (isExplicit && sent?.every((entry) => Object.keys(entry).length === 0) === true) return withoutManagers(after);
  if (isExplicit && sent?.every(isReadable) === true) return after;
  if (managedFields === undefined) return withoutManagers(after);
  const isKept = after.metadata.managedFields === managedFields;
  return isKept ? after : { ...after, metadata: { ...after.metadata, managedFields } };
}

function isReadable({ operation, fieldsV1 }: { operation: string; fieldsV1: unknown }): boolean {
  return (operation === 'Apply' || operation === 'Update') && isFieldSet(fieldsV1);
}
