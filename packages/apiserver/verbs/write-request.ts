// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { ResourceRequest } from '../context/resource-request.ts';
import type { ServerContext } from '../context/server-context.ts';
import { fieldValidationOf, isDryRun, managerOf } from '../context/write-options.ts';
import type { Write } from '../context/write.ts';
import { commitWrite, type Written } from '../pipeline/commit-write.ts';
import { prepareWrite } from '../pipeline/pipeline.ts';
import { staleVersion } from '../request/status-errors.ts';
import { WriteConflict } from '../storage/store.ts';
import type { StoredObject } from '../storage/stored-object.ts';

/** The object a write wants, given what is stored now. */
export interface ProposedObject {
  object: KubeObject;
  /** Server-side apply has worked out managedFields itself. */
  applied?: boolean;
  /** Paths of fields that the writer's text names more than once. */
  duplicates?: readonly string[];
}

const attempts = 5;

/**
 * Takes one write through the pipeline into the store. When another write comes in between (admission may take its time),
 * it starts over from the newest state, so that a patch never fails for that.
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
    const { object, applied = false, duplicates = [] } = await want(known);
    // An apply that changes nothing gives back what has passed all steps before.
    if (applied && before !== undefined && object === before.value && server.webhooks.isEmpty()) {
      await server.store.durable();
      return { stored: before, created: false, deleted: false };
    }
    const wanted = { ...writeOf(request), before: known, object, applied, duplicates };
    const prepared = await prepareWrite(wanted, server);
    try {
      if (resource.strategy.hasAllocationConflict?.(prepared, known, server) === true)
        throw new WriteConflict('allocated concurrently');
      const written = commitWrite(server.store, resource, before, resource.toStored(prepared), isDryRun(query));
      // Asked for at once, this does not wait for the writes of others that come after it.
      await server.store.durable();
      return written;
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
      if (attempt === attempts) throw staleVersion(resource.kind, request.name);
    }
  }
}

/** What a request says about the write it makes. */
export function writeOf({
  resource,
  subresource,
  namespace,
  name,
  method,
  user,
  query,
  headers,
  warn,
}: ResourceRequest): Omit<Write, 'before' | 'object' | 'applied' | 'duplicates'> {
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
  };
}
