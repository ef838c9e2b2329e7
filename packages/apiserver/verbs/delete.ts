// SPDX-License-Identifier: Apache-2.0
import { setImmediate } from 'node:timers/promises';
import type { KubeObject, ObjectMeta } from '@forge/kube/objects/object.ts';
import { restrictNode } from '../admission/node-restriction/restrict-node.ts';
import { jsonPayload } from '../messages/payload.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import { inSlices, Slice } from '../messages/slices.ts';
import { forbidden, notFound } from '../messages/status-errors.ts';
import { checkDeletePreconditions } from '../pipeline/check-preconditions.ts';
import { isReadyForRemoval } from '../pipeline/commit-write.ts';
import { deleteOptionsOf, type DeleteOptions } from '../request/delete-options.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { prefixOf, type Resource } from '../resources/resource.ts';
import { StoredObject } from '../storage/stored-object.ts';
import { admitDeletion } from '../webhooks/admit-deletion.ts';
import { storedObject, viewOf } from './read.ts';
import { selectionOf } from './selection.ts';

/** Handles DELETE of an object. */
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

/** Handles DELETE of a collection: each selected object is deleted individually. */
export async function deleteCollection(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  const { resource, namespace, query } = request;
  const options = await deleteOptionsOf(request);
  const selects = selectionOf(resource, query);
  const { objects, revision } = server.store.current;
  const chosen: StoredObject[] = [];
  for await (const slice of inSlices(objects.withPrefix(prefixOf(resource, namespace)), ({ size }) => size)) {
    for (const object of slice.filter(selects)) chosen.push(object);
  }
  const deleted = new Slice();
  for (const { key, size } of chosen) {
    await remove(server, request, key, options);
    if (deleted.isFilledBy(size)) await setImmediate();
  }
  await server.store.durable();
  return { status: 200, payload: viewOf(server, request).many(chosen, { resourceVersion: String(revision) }) };
}

/** The result of a deletion. */
interface Removed {
  stored: StoredObject;
  gone: boolean;
}

/** Deletes the object of this key; undefined when it no longer exists. */
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
    checkDeletePreconditions(resource, value, options);
    const reason = resource.strategy.deletionForbidden?.(value);
    if (reason !== undefined) throw forbidden(resource.kind, value.metadata.name, reason);
    const { name } = value.metadata;
    restrictNode(request.user, { ...request, name, operation: 'DELETE', object: undefined, before: value }, server);
    await admitDeletion(server, request, value, options);
    // The object may have changed while webhooks ran: then start over.
    if (server.store.current.objects.get(key) === before) return removeImmediately(server, resource, before, options);
  }
}

/** Deletes the object, or marks it as terminating when it has a grace period or finalizers. */
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
  // Kinds with a grace period are returned with deletionTimestamp, even when removed immediately.
  const shown = gone && resource.strategy.gracePeriod !== undefined ? withVersionOf(stored, terminating) : stored;
  return { stored: shown, gone };
}

function withVersionOf({ key, revision }: StoredObject, object: KubeObject): StoredObject {
  return new StoredObject(key, revision, {
    ...object,
    metadata: { ...object.metadata, resourceVersion: String(revision) },
  });
}

/** The object marked for deletion; itself when this delete changes nothing. */
function beginDeletion(resource: Resource, object: KubeObject, options: DeleteOptions, now: number): KubeObject {
  const { strategy } = resource;
  const { metadata } = object;
  const grace = strategy.gracePeriod?.(object, options.gracePeriodSeconds) ?? 0;
  const current = metadata.finalizers ?? [];
  const { propagationPolicy = strategy.orphansByDefault === true ? 'Orphan' : undefined } = options;
  const finalizers = finalizersOf(current, propagationPolicy);
  const isTerminating = metadata.deletionTimestamp !== undefined;
  // A second delete can only shorten the grace period.
  if (isTerminating && grace >= (metadata.deletionGracePeriodSeconds ?? 0) && finalizers === current) {
    return object;
  }
  const { finalizers: _, ...rest } = metadata;
  const terminating = {
    ...object,
    metadata: {
      ...rest,
      deletionTimestamp: new Date(now + durationOf(grace)).toISOString().replace(/\.\d+Z$/, 'Z'),
      ...(strategy.omitsDeletionDetails !== true && { deletionGracePeriodSeconds: grace, ...nextGeneration(metadata) }),
      ...(finalizers.length > 0 && { finalizers }),
    },
  };
  return strategy.prepareForDelete?.(terminating) ?? terminating;
}

/** In milliseconds; wraps around like Kubernetes' 64-bit nanoseconds. */
function durationOf(grace: number): number {
  return Number(BigInt.asIntN(64, BigInt(grace) * 1_000_000_000n) / 1_000_000n);
}

/** Starting a deletion increments the generation; a second delete does not. */
function nextGeneration({ generation, deletionTimestamp }: ObjectMeta): Pick<ObjectMeta, 'generation'> {
  return generation === undefined || deletionTimestamp !== undefined ? {} : { generation: generation + 1 };
}

/** Finalizers of the propagation policy; the garbage collector removes them. */
function finalizersOf(finalizers: string[], policy: DeleteOptions['propagationPolicy']): string[] {
  if (policy === undefined) return finalizers;
  const others = finalizers.filter((each) => each !== 'orphan' && each !== 'foregroundDeletion');
  const wanted = policy === 'Background' ? others : [...others, policy === 'Orphan' ? 'orphan' : 'foregroundDeletion'];
  return wanted.join() === finalizers.join() ? finalizers : wanted;
}
