// SPDX-License-Identifier: Apache-2.0
import type { KubeObject, ObjectMeta } from '@forge/kube/objects/object.ts';
import { admitDeletion } from '../admission/webhooks/admit-deletion.ts';
import { deleteOptionsOf, type DeleteOptions } from '../context/delete-options.ts';
import type { ResourceRequest } from '../context/resource-request.ts';
import type { ServerContext } from '../context/server-context.ts';
import { isReadyForRemoval } from '../pipeline/commit-write.ts';
import { jsonPayload } from '../request/payload.ts';
import type { ServerResponse } from '../request/server-request.ts';
import { conflict, forbidden, notFound } from '../request/status-errors.ts';
import { prefixOf, type Resource } from '../resources/resource.ts';
import { StoredObject } from '../storage/stored-object.ts';
import { storedObject, viewOf } from './read.ts';
import { selectionOf } from './selection.ts';

/** Answers DELETE of one object. */
export async function deleteObject(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  const { resource } = request;
  const options = await deleteOptionsOf(request);
  const removed = await remove(server, request, storedObject(server, request).key, options);
  if (removed === undefined) throw notFound(resource.kind, request.name);
  const { stored, gone } = removed;
  await server.store.durable();
  if (!gone || resource.strategy.returnsDeletedObject === true) {
    return { status: 200, payload: viewOf(server, request).one(stored) };
  }
  const { group, plural } = resource.kind;
  const { name, uid } = stored.value.metadata;
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
  const chosen = [...objects.withPrefix(prefixOf(resource, namespace))].filter(selects);
  for (const { key } of chosen) await remove(server, request, key, options);
  await server.store.durable();
  return { status: 200, payload: viewOf(server, request).many(chosen, { resourceVersion: String(revision) }) };
}

/** What is left of a deleted object. */
interface Removed {
  stored: StoredObject;
  gone: boolean;
}

/** Deletes what is stored under the key; undefined when somebody else has done so meanwhile. */
async function remove(
  server: ServerContext,
  request: ResourceRequest,
  key: string,
  options: DeleteOptions,
): Promise<Removed | undefined> {
  const { resource } = request;
  for (;;) {
    const before = server.store.current.objects.get(key);
    if (before === undefined) return undefined;
    const { value } = resource.toServed(before);
    checkPreconditions(resource, value, options);
    const reason = resource.strategy.deletionForbidden?.(value);
    if (reason !== undefined) throw forbidden(resource.kind, value.metadata.name, reason);
    await admitDeletion(server, request, value, options);
    // Webhooks take their time: what has changed in it is looked at anew.
    if (server.store.current.objects.get(key) === before) return removeImmediately(server, resource, before, options);
  }
}

/** Deletes the object, or marks it as dying when it is given time or held back. */
export function removeImmediately(
  { store, clock }: ServerContext,
  resource: Resource,
  before: StoredObject,
  options: DeleteOptions,
): Removed {
  const { value } = resource.toServed(before);
  const terminating = beginDeletion(resource, value, options, clock.now());
  const gone = isReadyForRemoval(resource, terminating);
  if (options.dryRun || (!gone && terminating === value)) return { stored: before, gone };
  const stored = store.commit(before.key, before, gone ? undefined : resource.toStored(terminating));
  // Who is given time is shown dying, even when no time is left.
  const shown = gone && resource.strategy.gracePeriod !== undefined ? withVersionOf(stored, terminating) : stored;
  return { stored: shown, gone };
}

function withVersionOf({ key, revision }: StoredObject, object: KubeObject): StoredObject {
  return new StoredObject(key, revision, {
    ...object,
    metadata: { ...object.metadata, resourceVersion: String(revision) },
  });
}

/** The object as it is once its deletion has begun; itself, when nothing changes by this delete. */
function beginDeletion(resource: Resource, object: KubeObject, options: DeleteOptions, now: number): KubeObject {
  const { strategy } = resource;
  const { metadata } = object;
  const grace = strategy.gracePeriod?.(object, options.gracePeriodSeconds) ?? 0;
  const current = metadata.finalizers ?? [];
  const { propagationPolicy = strategy.orphansByDefault === true ? 'Orphan' : undefined } = options;
  const finalizers = finalizersOf(current, propagationPolicy);
  const isTerminating = metadata.deletionTimestamp !== undefined;
  // A second delete may shorten the time left, never lengthen it.
  if (isTerminating && grace >= (metadata.deletionGracePeriodSeconds ?? 0) && finalizers === current) {
    return object;
  }
  const { finalizers: _, ...rest } = metadata;
  const terminating = {
    ...object,
    metadata: {
      ...rest,
      deletionTimestamp: new Date(now + grace * 1000).toISOString().replace(/\.\d+Z$/, 'Z'),
      ...(strategy.omitsDeletionDetails !== true && { deletionGracePeriodSeconds: grace, ...nextGeneration(metadata) }),
      ...(finalizers.length > 0 && { finalizers }),
    },
  };
  return strategy.prepareForDelete?.(terminating) ?? terminating;
}

/** The beginning of a deletion is a change of what is wanted; a second delete is not. */
function nextGeneration({ generation, deletionTimestamp }: ObjectMeta): Pick<ObjectMeta, 'generation'> {
  return generation === undefined || deletionTimestamp !== undefined ? {} : { generation: generation + 1 };
}

/** The garbage collector finishes a deletion that has to wait for dependents; its finalizer stands for that. */
function finalizersOf(finalizers: string[], policy: DeleteOptions['propagationPolicy']): string[] {
  if (policy === undefined) return finalizers;
  const others = finalizers.filter((each) => each !== 'orphan' && each !== 'foregroundDeletion');
  const wanted = policy === 'Background' ? others : [...others, policy === 'Orphan' ? 'orphan' : 'foregroundDeletion'];
  return wanted.join() === finalizers.join() ? finalizers : wanted;
}

/** Refuses to delete another object, or another version of it, than is meant. */
export function checkPreconditions(
  { kind }: Resource,
  { metadata }: KubeObject,
  { preconditions = {} }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions;
  // A real server names the kind here, not the resource.
  const named = { group: kind.group, plural: kind.kind };
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(named, metadata.name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(named, metadata.name, why);
  }
}
