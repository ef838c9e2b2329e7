// SPDX-License-Identifier: Apache-2.0
import { jsonEqual } from '@forge/kube/objects/json.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { alreadyExists } from '../messages/status-errors.ts';
import { keyOf, type Resource } from '../resources/resource.ts';
import type { Store } from '../storage/store.ts';
import { StoredObject } from '../storage/stored-object.ts';

/** The result of a write. */
export interface Written {
  stored: StoredObject;
  /** Whether the object was created. */
  created: boolean;
  /** Whether the write removed the last finalizer of a terminating object, so that it is deleted. */
  deleted: boolean;
}

/** Stores the object. A write without changes is skipped; a terminating object without finalizers is deleted. */
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
  // The response shows the written object, although no revision has it.
  return { stored: new StoredObject(key, before.revision, object), created, deleted };
}

/** Whether a terminating object has neither grace period nor finalizers left. */
export function isReadyForRemoval({ strategy }: Resource, object: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds > 0 || finalizers.length > 0) return false;
  return strategy.hasPendingFinalizers?.(object) !== true;
}

/** Whether nothing differs but the times in managedFields. */
function isUnchanged(before: KubeObject, after: KubeObject): boolean {
  return jsonEqual(withoutTimes(before), withoutTimes(after));
}

function withoutTimes(object: KubeObject): KubeObject {
  const { managedFields } = object.metadata;
  if (managedFields === undefined) return object;
  const timeless = managedFields.map((entry) => ({ ...entry, time: '' }));
  return { ...object, metadata: { ...object.metadata, managedFields: timeless } };
}
