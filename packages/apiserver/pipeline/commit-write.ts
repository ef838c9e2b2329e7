// SPDX-License-Identifier: Apache-2.0
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { alreadyExists } from '../request/status-errors.ts';
import { keyOf, type Resource } from '../resources/resource.ts';
import type { Store } from '../storage/store.ts';
import { StoredObject } from '../storage/stored-object.ts';

/** What became of a write. */
export interface Written {
  stored: StoredObject;
  /** There was no such object before. */
  created: boolean;
  /** The write took away what held a dying object back, so that it is gone now. */
  deleted: boolean;
}

/** Stores the object; one that says nothing new is left as it is, and a dying one that nothing holds back is deleted. */
export function commitWrite(
  store: Store,
  resource: Resource,
  before: StoredObject | undefined,
  object: KubeObject,
  dryRun: boolean,
): Written {
  const { namespace, name } = object.metadata;
  const key = keyOf(resource, namespace, name);
  if (before === undefined && store.current.objects.get(key) !== undefined) throw alreadyExists(resource.kind, name);
  if (before !== undefined && isUnchanged(before.value, object))
    return { stored: before, created: false, deleted: false };
  const deleted = isReadyForRemoval(resource, object);
  const created = before === undefined;
  if (dryRun) return { stored: new StoredObject(key, before?.revision ?? 0, object), created, deleted };
  if (before === undefined || !deleted) return { stored: store.commit(key, before, object), created, deleted };
  store.commit(key, before, undefined);
  // The writer is shown what it wrote, which no revision has.
  return { stored: new StoredObject(key, before.revision, object), created, deleted };
}

/** Whether a dying object has neither time nor finalizers left. */
export function isReadyForRemoval({ strategy }: Resource, object: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds > 0 || finalizers.length > 0) return false;
  return strategy.hasPendingFinalizers?.(object) !== true;
}

/** Whether the two differ in nothing but when their managers last wrote. */
function isUnchanged(before: KubeObject, after: KubeObject): boolean {
  return jsonEqual(withoutTimes(before), withoutTimes(after));
}

function withoutTimes(object: KubeObject): KubeObject {
  const { managedFields } = object.metadata;
  if (managedFields === undefined) return object;
  const timeless = managedFields.map((entry) => ({ ...entry, time: '' }));
  return { ...object, metadata: { ...object.metadata, managedFields: timeless } };
}
