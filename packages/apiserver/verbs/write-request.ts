// SPDX-License-Identifier: Apache-2.0
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isApiError } from '@forge/kube/errors/api-error.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { isLarge, sizeOf } from '../messages/large-body.ts';
import { staleVersion } from '../messages/status-errors.ts';
import { commitWrite, type Written } from '../pipeline/commit-write.ts';
import { prepareWrite } from '../pipeline/pipeline.ts';
import type { ResourceRequest } from '../request/resource-request.ts';
import type { ServerContext } from '../request/server-context.ts';
import { fieldValidationOf, isDryRun, managerOf } from '../request/write-options.ts';
import type { Write } from '../request/write.ts';
import { WriteConflict } from '../storage/store.ts';
import type { StoredObject } from '../storage/stored-object.ts';

/** The proposed object of a write, given the stored one. */
export interface ProposedObject {
  object: KubeObject;
  /** Whether server-side apply has already computed managedFields. */
  applied?: boolean;
  /** Bytes of the decoded request body; those of the body unless given. */
  size?: number;
  /** Paths of duplicate fields in the request body. */
  duplicates?: readonly string[];
}

const attempts = 5;

/**
 * Runs a write through the pipeline and commits it. When the object changes in the meantime, it starts over with the
 * newest state, so that a patch fails because of concurrent changes only after several attempts.
 */
export async function write(
  server: ServerContext,
  request: ResourceRequest,
  read: () => StoredObject | undefined,
  want: (before: KubeObject | undefined) => ProposedObject | Promise<ProposedObject>,
): Promise<Written> {
  const { resource, query } = request;
  for (let attempt = 1; ; attempt += 1) {
    const before = read();
    const known = before && resource.toServed(before).value;
    const { object, applied = false, duplicates = [], size = sizeOf(request.body) } = await want(known);
    const large = isLarge(size + (before?.size ?? 0));
    if (large) await nextTurn();
    // An apply without changes needs no further steps, unless webhooks or policies must see it.
    const isUnseen = server.webhooks.isEmpty() && server.policies().length === 0;
    if (applied && before !== undefined && object === before.value && isUnseen) {
      await server.store.durable();
      return { stored: before, created: false, deleted: false };
    }
    const wanted = { ...writeOf(request), before: known, object, applied, duplicates, isLarge: large };
    const prepared = await prepareWrite(wanted, server);
    try {
      if (resource.strategy.hasAllocationConflict?.(prepared, known, server) === true)
        throw new WriteConflict('allocated concurrently');
      const written = commitWrite(server.store, resource, before, resource.toStored(prepared), isDryRun(query));
      // Called right after the commit, it does not wait for later writes.
      await server.store.durable();
      return written;
    } catch (error) {
      // When another client has created the object first, an apply updates it.
      const isConflict = error instanceof WriteConflict || (applied && isApiError(error, 'AlreadyExists'));
      if (!isConflict) throw error;
      if (attempt === attempts) throw staleVersion(resource.kind, request.name);
    }
  }
}

/** The parts of a write that come from the request. */
export function writeOf({
  resource,
  subresource,
  namespace,
  name,
  method,
  user,
  query,
  headers,
  body,
  warn,
}: ResourceRequest): Omit<Write, 'before' | 'object' | 'applied' | 'duplicates' | 'isLarge'> {
  return {
    resource,
    subresource,
    namespace,
    name,
    isPatch: method === 'PATCH',
    user,
    manager: managerOf({ query, headers }),
    fieldValidation: fieldValidationOf(query),
    query,
    warn,
    isRemote: body instanceof Uint8Array,
  };
}
