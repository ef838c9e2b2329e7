// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject, type ObjectMeta, type OwnerReference } from '@forge/kube/objects/object.ts';
import type { ServerContext } from '../request/server-context.ts';
import { keyOf } from '../resources/resource.ts';
import { resourceOf } from '../storage/store.ts';
import { observeChanges } from './observe-changes.ts';
import { ownerIndex } from './owner-index.ts';
import { workQueue } from './work-queue.ts';

/** State of an owner: existing, waiting for foreground deletion, deleted, or of a kind that is not served. */
type OwnerState = 'present' | 'waiting' | 'gone' | 'unknown';

/** Deletes objects without remaining owners, and completes foreground and orphan deletions. */
export function garbageCollector(server: ServerContext, api: Client): () => Promise<void> {
  const { store, resources } = server;
  const index = ownerIndex();

  async function collect(key: string): Promise<void> {
    const object = store.current.objects.get(key)?.value;
    const resource = resources.findByName(resourceOf(key));
    if (object === undefined || resource === undefined) return;
    try {
      if (object.metadata.deletionTimestamp === undefined) await processOwners(resource.kind, object);
      else await finishDeletion(resource.kind, object);
    } catch (error) {
      if (!isApiError(error, 'NotFound')) throw error;
    }
  }

  /** Deletes an object whose owners are all deleted or waiting; otherwise removes references to those. */
  async function processOwners(kind: Kind, object: KubeObject): Promise<void> {
    const { ownerReferences = [], uid = '' } = object.metadata;
    const states = ownerReferences.map((owner) => ownerState(owner, object));
    if (states.length === 0 || states.includes('unknown')) return;
    if (!states.includes('present')) {
      const propagation = states.includes('waiting') ? 'Foreground' : 'Background';
      await api.delete(kind, refOf(object), { propagation, preconditions: { uid } });
    } else if (states.some((state) => state !== 'present')) {
      // Also to owners that wait for their dependents: this one stays, so they would wait forever.
      await removeOwnerReferences(kind, object, (owner) => ownerState(owner, object) !== 'present');
    }
  }

  /** Completes the propagation policy of a terminating object. */
  async function finishDeletion(kind: Kind, object: KubeObject): Promise<void> {
    const { uid = '', finalizers = [] } = object.metadata;
    const dependents = index.dependents(uid).flatMap((key) => store.current.objects.get(key) ?? []);
    if (finalizers.includes('orphan')) {
      for (const { key, value } of dependents) {
        const resource = resources.findByName(resourceOf(key));
        if (resource !== undefined) await removeOwnerReferences(resource.kind, value, (owner) => owner.uid === uid);
      }
      await change(kind, object, { finalizers: finalizers.filter((each) => each !== 'orphan') });
    } else if (finalizers.includes('foregroundDeletion')) {
      for (const { key } of dependents) queue.add(key);
      if (dependents.some(({ value }) => blocks(value, uid))) return;
      await change(kind, object, { finalizers: finalizers.filter((each) => each !== 'foregroundDeletion') });
    }
  }

  async function removeOwnerReferences(
    kind: Kind,
    object: KubeObject,
    isGone: (owner: OwnerReference) => boolean,
  ): Promise<void> {
    const kept = (object.metadata.ownerReferences ?? []).filter((owner) => !isGone(owner));
    await change(kind, object, { ownerReferences: kept });
  }

  /** The resourceVersion makes the patch fail when the object has changed; the queue then retries. */
  async function change(kind: Kind, object: KubeObject, metadata: Partial<ObjectMeta>): Promise<void> {
    const { resourceVersion, uid } = object.metadata;
    await api.patch(kind, refOf(object), 'merge', { metadata: { ...metadata, resourceVersion, uid } });
  }

  function ownerState({ apiVersion, kind, name, uid }: OwnerReference, { metadata }: KubeObject): OwnerState {
    const resource = resources.findKind(apiVersion, kind);
    if (resource === undefined) return 'unknown';
    const namespace = resource.kind.scope === 'Cluster' ? undefined : metadata.namespace;
    const owner = store.current.objects.get(keyOf(resource, namespace, name))?.value.metadata;
    if (owner?.uid !== uid) return 'gone';
    const waits = owner.deletionTimestamp !== undefined && owner.finalizers?.includes('foregroundDeletion') === true;
    return waits ? 'waiting' : 'present';
  }

  function enqueueOwners({ metadata }: KubeObject): void {
    for (const { apiVersion, kind, name } of metadata.ownerReferences ?? []) {
      const resource = resources.findKind(apiVersion, kind);
      const namespace = resource?.kind.scope === 'Cluster' ? undefined : metadata.namespace;
      if (resource !== undefined) queue.add(keyOf(resource, namespace, name));
    }
  }

  const queue = workQueue('garbage-collector', server, collect);
  for (const stored of store.current.objects.withPrefix('')) {
    index.add(stored);
    queue.add(stored.key);
  }
  const stopObserving = observeChanges(server, ({ type, object, before }) => {
    if (before !== undefined) index.remove(before);
    if (type !== 'DELETED') {
      index.add(object);
      if (needsProcessing(object.value)) queue.add(object.key);
      // This may have been the last dependent that an owner waited for.
      if (before !== undefined && hasFewerOwners(before.value, object.value)) enqueueOwners(before.value);
    } else {
      for (const key of index.dependents(object.value.metadata.uid ?? '')) queue.add(key);
      enqueueOwners(object.value);
    }
  });
  return async () => {
    stopObserving();
    await queue.stop();
  };
}

function needsProcessing({
  metadata: { ownerReferences = [], deletionTimestamp, finalizers = [] },
}: KubeObject): boolean {
  return deletionTimestamp === undefined ? ownerReferences.length > 0 : finalizers.length > 0;
}

function hasFewerOwners(before: KubeObject, after: KubeObject): boolean {
  return (before.metadata.ownerReferences?.length ?? 0) > (after.metadata.ownerReferences?.length ?? 0);
}

function blocks({ metadata }: KubeObject, ownerUid: string): boolean {
  return (
    metadata.ownerReferences?.some(({ uid, blockOwnerDeletion }) => uid === ownerUid && blockOwnerDeletion === true) ===
    true
  );
}
