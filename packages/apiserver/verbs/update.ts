// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { authorize } from '../access/authorize.ts';
import { decodeObject } from '../encoding/decode-body.ts';
import { createAccessRequest } from '../messages/access-request.ts';
import type { ServerResponse } from '../messages/server-request.ts';
import { nameMismatch } from '../messages/status-errors.ts';
import { checkUid } from '../pipeline/check-preconditions.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { checkWriteOptions } from '../request/write-options.ts';
import { keyOf } from '../resources/resource.ts';
import type { StoredObject } from '../storage/stored-object.ts';
import { objectNotFound, viewOf } from './read.ts';
import { write } from './write-request.ts';

/** Handles PUT of an object or its status. */
export async function updateObject(server: ServerContext, request: ResourceRequest): Promise<ServerResponse> {
  checkWriteOptions('update', request.query);
  const sent = await decodeObject(request, request.resource);
  const { stored, created } = await write(
    server,
    request,
    () => updatedObject(server, request, sent.object.metadata.name),
    (before) => (before === undefined ? { ...sent, object: objectToCreate(request, sent.object) } : sent),
  );
  return { status: created ? 201 : 200, payload: viewOf(server, request).one(stored) };
}

/** The stored object; undefined when the update creates it. */
function updatedObject(server: ServerContext, request: ResourceRequest, sentName: string): StoredObject | undefined {
  const { resource, namespace, name, subresource, user } = request;
  const stored = server.store.current.objects.get(keyOf(resource, namespace, name));
  if (stored !== undefined) return stored;
  if (sentName !== name) throw nameMismatch(sentName, name);
  if (subresource !== undefined || resource.strategy.allowCreateOnUpdate !== true) throw objectNotFound(request);
  authorize(server.authorizer, user, createAccessRequest(request));
  return undefined;
}

/** The object to create by an update; its resourceVersion is ignored. */
function objectToCreate(request: ResourceRequest, object: KubeObject): KubeObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  checkUid(request, metadata.uid);
  return { ...object, metadata };
}
