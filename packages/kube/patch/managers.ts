// SPDX-License-Identifier: Apache-2.0
import { setField } from '../objects/json.ts';
import type { JsonObject } from '../objects/json.ts';
import { groupOf, type KubeObject, type ManagedFieldsEntry } from '../objects/object.ts';
import { difference, type FieldSet, isEmpty, sameFields } from './field-set.ts';

/** An entry of managedFields, its fields as a set. */
export interface FieldManager extends Omit<ManagedFieldsEntry, 'fieldsV1' | 'fieldsType'> {
  fields: FieldSet;
}

/** The field manager of a write, and its time. */
export interface Writer {
  manager: string;
  time: string;
  subresource?: string;
}

/** The writer's entry, without time and fields. */
export function writerOf(
  operation: FieldManager['operation'],
  apiVersion: string,
  { manager, subresource }: Writer,
): Omit<FieldManager, 'fields'> {
  return { manager, operation, apiVersion, ...(subresource !== undefined && { subresource }) };
}

/** The object's managers, except those of another API group, whose fields have other names. */
export function managersOf(object: KubeObject | undefined): FieldManager[] {
  const group = groupOf(object?.apiVersion);
  const own = (object?.metadata.managedFields ?? []).filter(({ apiVersion }) => groupOf(apiVersion) === group);
  return own.map((entry) => {
    const { fieldsV1, fieldsType: _, ...manager } = entry;
    return { ...manager, fields: fieldsV1 as FieldSet };
  });
}

/** Whether both are the same manager: for Apply in any version, for Update in the same version. */
export function isSameManager(a: Omit<FieldManager, 'fields'>, b: Omit<FieldManager, 'fields'>): boolean {
  return (
    a.manager === b.manager &&
    a.operation === b.operation &&
    a.subresource === b.subresource &&
    (a.operation === 'Apply' || a.apiVersion === b.apiVersion)
  );
}

/** The managers without these fields; those left with none are dropped. */
export function withoutFields(managers: readonly FieldManager[], ...lost: FieldSet[]): FieldManager[] {
  return managers
    .map((manager) => {
      const fields = lost.reduce(difference, manager.fields);
      return fields === manager.fields ? manager : { ...manager, fields };
    })
    .filter(({ fields }) => !isEmpty(fields));
}

/** The object with these managers in the server's order; the object itself when nothing changes. */
export function withManagers<T extends KubeObject>(object: T, managers: readonly FieldManager[]): T {
  const before = managersOf(object);
  const isSame =
    (object.metadata.managedFields ?? []).length === managers.length &&
    managers.every((manager) =>
      before.some(
        (old) => isSameManager(old, manager) && old.time === manager.time && sameFields(old.fields, manager.fields),
      ),
    );
  if (isSame) return object;
  if (managers.length === 0) return withoutManagers(object);
  const managedFields = managers
    .toSorted(compareManagers)
    .map(({ fields, ...entry }): ManagedFieldsEntry => ({ ...entry, fieldsType: 'FieldsV1', fieldsV1: fields }));
  return { ...object, metadata: { ...object.metadata, managedFields } };
}

/** The object without managedFields; itself when it has none. */
export function withoutManagers<T extends KubeObject>(object: T): T {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The fields of an object that can be owned: not its identity, and not those that only the server writes. */
export function ownableFields(object: KubeObject): JsonObject {
  const { apiVersion: _, kind: __, metadata: given, ...rest } = object as KubeObject & JsonObject;
  const metadata: Record<string, unknown> = {};
  for (const field in given) {
    if (!serverWritten.has(field)) setField(metadata, field, given[field as keyof typeof given]);
  }
  return { metadata, ...rest };
}

const serverWritten: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'selfLink',
  'managedFields',
]);

function compareManagers(a: FieldManager, b: FieldManager): number {
  return sortKey(a) < sortKey(b) ? -1 : 1;
}

function sortKey({ operation, time = '', manager, apiVersion, subresource = '' }: FieldManager): string {
  return [operation, time, manager, apiVersion, subresource].join('\0');
}
