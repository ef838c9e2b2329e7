// SPDX-License-Identifier: Apache-2.0
import { bindPod } from './bind-pod.ts';
import { createObject } from './create.ts';
import { deleteCollection, deleteObject } from './delete.ts';
import { patchObject } from './patch.ts';
import { podLog } from './pod-log.ts';
import { getObject, listObjects, watchObjects } from './read.ts';
import type { Verb } from './request-info.ts';
import type { ResourceRequest } from './resource-request.ts';
import { getScale, updateScale } from './scale.ts';
import type { ServerContext } from './server-context.ts';
import type { ServerResponse } from './server-request.ts';
import { updateObject } from './update.ts';

/** Answers a request for a resource. */
type Operation = (server: ServerContext, request: ResourceRequest) => ServerResponse | Promise<ServerResponse>;

type Operations = Partial<Record<Verb, Operation>>;

const objectOperations: Operations = {
  get: getObject,
  list: listObjects,
  watch: watchObjects,
  create: createObject,
  update: updateObject,
  patch: patchObject,
  delete: deleteObject,
  deletecollection: deleteCollection,
};

const partOperations: Operations = { get: getObject, update: updateObject, patch: patchObject };

const scaleOperations: Operations = { get: getScale, update: updateScale, patch: updateScale };

/** What a resource can be asked under a subresource, or under none. */
export function operationsOf(
  { kind, name: resource }: ResourceRequest['resource'],
  subresource: string | undefined,
): Operations | undefined {
  switch (subresource) {
    case undefined:
      return objectOperations;
    case 'status':
      return kind.subresources.includes('status') ? partOperations : undefined;
    case 'scale':
      return kind.subresources.includes('scale') ? scaleOperations : undefined;
    case 'finalize':
      return resource === 'namespaces' ? { update: updateObject } : undefined;
    case 'binding':
      return resource === 'pods' ? { create: bindPod } : undefined;
    case 'log':
      return resource === 'pods' ? { get: podLog } : undefined;
    default:
      return undefined;
  }
}
