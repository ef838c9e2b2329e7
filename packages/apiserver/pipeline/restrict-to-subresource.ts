// SPDX-License-Identifier: Apache-2.0
import { withField, setField } from '@forge/kube/objects/json.ts';
import type { KubeObject, ObjectMeta } from '@forge/kube/objects/object.ts';
import type { WriteStep } from '../request/write.ts';
import { hasStatus, type Resource } from '../resources/resource.ts';

type WithStatus = KubeObject & { status?: unknown };

/** Metadata that only the server sets; values in requests are ignored. */
const serverFields = ['creationTimestamp', 'resourceVersion'];

/** Metadata that is ignored on create. */
const fieldsResetOnCreate = [...serverFields, 'selfLink', 'uid', 'deletionTimestamp', 'deletionGracePeriodSeconds'];

/**
 * Restricts a write to its part of the object: status changes only through its subresource, everything else only
 * without one.
 */
export const restrictToSubresource: WriteStep = ({ resource, subresource, before, object, applied }) => {
  const { status }: WithStatus = object;
  // managedFields in a request are honoured, but not on a subresource.
  const takesManagers = applied || subresource === undefined;
  const managedFields = takesManagers ? object.metadata.managedFields : before?.metadata.managedFields;
  if (before === undefined) {
    const keepsStatus = !hasStatus(resource) || resource.strategy.keepsStatusOnCreate === true;
    const kept = keepsStatus ? object : withField(object, 'status', undefined);
    return { ...kept, metadata: withManagers(without(object.metadata, fieldsResetOnCreate), managedFields) };
  }
  if (subresource === 'status' || subresource === 'approval') {
    const metadata = keepServerFields(
      statusUpdateMetadata(resource, object.metadata, before.metadata),
      before.metadata,
      managedFields,
    );
    const written = subresource === 'approval' ? approval(status, (before as WithStatus).status) : status;
    return { ...before, metadata, ...(written !== undefined && { status: written }) };
  }
  const metadata = keepServerFields(object.metadata, before.metadata, managedFields);
  const own = hasStatus(resource) ? withField(object, 'status', (before as WithStatus).status) : object;
  return { ...own, metadata };
};

/** An approval changes conditions only. */
function approval(written: unknown, before: unknown): unknown {
  return { ...(before as object), conditions: (written as { conditions?: unknown } | undefined)?.conditions };
}

/** The metadata of a status update; those of custom resources cannot change. */
function statusUpdateMetadata({ custom, strategy }: Resource, written: ObjectMeta, before: ObjectMeta): ObjectMeta {
  if (custom) return before;
  const { metadataKeptOnStatusUpdate: kept = [] } = strategy;
  const isKept = ([field]: [string, unknown]) => (kept as readonly string[]).includes(field);
  const others = Object.entries(written).filter((entry) => !isKept(entry));
  return Object.fromEntries([...others, ...Object.entries(before).filter(isKept)]) as unknown as ObjectMeta;
}

/**
 * The metadata of a request with the server's fields restored. Changes of uid and deletion fields are kept, so that
 * validation rejects them.
 */
function keepServerFields(
  written: ObjectMeta,
  before: ObjectMeta,
  managedFields: ObjectMeta['managedFields'],
): ObjectMeta {
  const metadata = without(written, serverFields);
  const { creationTimestamp, resourceVersion, generation, uid, deletionTimestamp, deletionGracePeriodSeconds } = before;
  const own: Record<string, unknown> = {
    creationTimestamp,
    resourceVersion,
    generation,
    uid: (written.uid ?? '') === '' ? uid : written.uid,
    deletionTimestamp: deletionTimestamp ?? written.deletionTimestamp,
    deletionGracePeriodSeconds: written.deletionGracePeriodSeconds ?? deletionGracePeriodSeconds,
  };
  for (const field in own) {
    const value = own[field];
    if (value === undefined) delete metadata[field];
    else metadata[field] = value;
  }
  return withManagers(metadata, managedFields);
}

function without(written: ObjectMeta, fields: readonly string[]): Record<string, unknown> {
  const metadata: Record<string, unknown> = {};
  for (const field in written) {
    if (field === 'managedFields' || fields.includes(field)) continue;
    setField(metadata, field, written[field as keyof ObjectMeta]);
  }
  return metadata;
}

function withManagers(metadata: Record<string, unknown>, managedFields: ObjectMeta['managedFields']): ObjectMeta {
  if (managedFields !== undefined) metadata['managedFields'] = managedFields;
  return metadata as unknown as ObjectMeta;
}
