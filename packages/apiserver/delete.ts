// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/object.ts';
import { deleteOptionsOf, type DeleteOptions } from './delete-options.ts';
import { jsonPayload } from './payload.ts';
import { isReadyToGo } from './pipeline/commit-write.ts';
import { storedObject, viewOf } from './read.ts';
import { conflict, forbidden } from './refusal.ts';
import type { ResourceRequest } from './resource-request.ts';
import { prefixOf, type Resource } from './resource.ts';
import { selectionOf } from './selection.ts';
import type { ServerContext } from './server-context.ts';
import type { ServerResponse } from './server-request.ts';
import type { StoredObject } from './storage/stored-object.ts';

/** Answers DELETE of one object. */
export async function deleteObject(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  const { resource } = request;
  const options = await deleteOptionsOf(request);
  const before = storedObject(server, request);
  const { stored, gone } = remove(server, resource, before, options);
  if (!gone || resource.strategy.returnsDeleted === true) {
    return { status: 200, payload: viewOf(server, request).one(stored) };
  }
  const { group, plural } = resource.kind;
  const { name, uid } = before.value.metadata;
  const details = { name, ...(group !== '' && { group }), kind: plural, uid };
  return {
    status: 200,
    payload: jsonPayload({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }),
  };
}

/** Answers DELETE of a collection: each selected object is deleted as if by itself. */
export async function deleteCollection(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  const { resource, namespace, query } = request;
  const options = await deleteOptionsOf(request);
  const selects = selectionOf(resource, query);
  const { objects, revision } = server.store.current;
  const chosen = [...objects.withPrefix(prefixOf(resource, namespace))].filter(({ value }) => selects(value));
  for (const stored of chosen) remove(server, resource, stored, options);
  return { status: 200, payload: viewOf(server, request).many(chosen, { resourceVersion: String(revision) }) };
}

/** Deletes the object, or marks it as dying when it is given time or held back. */
function remove(
  { store, clock }: ServerContext,
  resource: Resource,
  before: StoredObject,
  options: DeleteOptions,
): { stored: StoredObject; gone: boolean } {
  checkPreconditions(resource, before.value, options);
  const forbiddenBecause = resource.strategy.undeletable?.(before.value);
  if (forbiddenBecause !== undefined) {
    throw forbidden(resource.kind, before.value.metadata.name, forbiddenBecause);
  }
  const dying = begin(resource, before.value, options, clock.now());
  const gone = isReadyToGo(resource, dying);
  if (options.dryRun || (!gone && dying === before.value)) return { stored: before, gone };
  return { stored: store.commit(before.key, before, gone ? undefined : dying), gone };
}

/** The object as it is once its deletion has begun; itself, when nothing changes by this delete. */
function begin(resource: Resource, object: KubeObject, options: DeleteOptions, now: number): KubeObject {
  const { strategy } = resource;
  const { metadata } = object;
  const grace = strategy.gracePeriod?.(object, options.gracePeriodSeconds) ?? 0;
  const current = metadata.finalizers ?? [];
  const finalizers = finalizersOf(current, options.propagationPolicy);
  const alreadyDying = metadata.deletionTimestamp !== undefined;
  // A second delete may shorten the time left, never lengthen it.
  if (alreadyDying && grace >= (metadata.deletionGracePeriodSeconds ?? 0) && finalizers === current) {
    return object;
  }
  const { finalizers: _, ...rest } = metadata;
  const dying = {
    ...object,
    metadata: {
      ...rest,
      ...(metadata.generation !== undefined && !alreadyDying && { generation: metadata.generation + 1 }),
      deletionTimestamp: new Date(now + grace * 1000).toISOString().replace(/\.\d+Z$/, 'Z'),
      deletionGracePeriodSeconds: grace,
      ...(finalizers.length > 0 && { finalizers }),
    },
  };
  return strategy.end?.(dying) ?? dying;
}

/** The garbage collector finishes a deletion that has to wait for dependents; its finalizer stands for that. */
function finalizersOf(finalizers: string[], policy: DeleteOptions['propagationPolicy']): string[] {
  if (policy === undefined) return finalizers;
  const others = finalizers.filter((each) => each !== 'orphan' && each !== 'foregroundDeletion');
  const wanted = policy === 'Background' ? others : [...others, policy === 'Orphan' ? 'orphan' : 'foregroundDeletion'];
  return wanted.join() === finalizers.join() ? finalizers : wanted;
}

function checkPreconditions({ kind }: Resource, { metadata }: KubeObject, { preconditions = {} }: DeleteOptions): void {
  const { uid, resourceVersion } = preconditions;
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`;
    throw conflict(kind, metadata.name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${metadata.resourceVersion}`;
    throw conflict(kind, metadata.name, why);
  }
}
