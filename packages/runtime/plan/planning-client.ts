// SPDX-License-Identifier: Apache-2.0
import type { GetOptions } from '@forge/kube/client/client-options.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { ApiError } from '@forge/kube/errors/api-error.ts';
import { resourceName, type Kind } from '@forge/kube/kinds/kind.ts';
import { refOf, type KubeObject, type ObjectRef } from '@forge/kube/objects/object.ts';
import { applyPatch } from '@forge/kube/patch/apply.ts';
import { jsonPatch } from '@forge/kube/patch/json-patch.ts';
import { mergePatch } from '@forge/kube/patch/merge-patch.ts';
import { strategicMerge } from '@forge/kube/patch/strategic-merge.ts';
import { timestamp, type Clock } from '../environment/clock.ts';
import type { PlannedCall } from '../steps/planned-call.ts';
import { plannedKey, type PlannedObjects } from './planned-cache.ts';
import { plannedWrite, type PlannedWrite } from './planned-write.ts';

/**
 * Clients, one for each step, that read the cluster and write nothing: writes are recorded, answered as a server would,
 * and visible to the reads of all of them.
 */
export function planningClients(
  client: Client,
  clock: Clock,
  planned: PlannedObjects,
  record: { write: (write: PlannedWrite) => void; call: (step: string, description: string) => PlannedCall },
): (step: string) => Client {
  async function find<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, options?: GetOptions) {
    const place = plannedKey(kind, ref);
    return planned.has(place) ? (planned.get(place) as T | undefined) : await client.find(kind, ref, options);
  }

  async function get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, options?: GetOptions): Promise<T> {
    return (planned.get(plannedKey(kind, ref)) as T | undefined) ?? (await client.get(kind, ref, options));
  }

  return (step) => {
    function write<T extends KubeObject>(
      kind: Kind<T>,
      ref: ObjectRef,
      before: T | undefined,
      after: T | undefined,
    ): void {
      planned.set(plannedKey(kind, ref), after);
      const difference = plannedWrite(step, before, after);
      if (difference !== undefined) record.write(difference);
    }

    async function change<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, to: (before: T) => unknown): Promise<T> {
      const before = await get(kind, ref);
      const after = to(before) as T;
      write(kind, ref, before, after);
      return after;
    }

    return {
      ...client,
      find,
      get,

      async create(kind, object, options) {
        // A dry run changes nothing.
        if (options?.dryRun === true) return await client.create(kind, object, options);
        if (options?.subresource === 'token') {
          throw record.call(step, `request a token of ${kind.kind} ${object.metadata.name}`);
        }
        if ((await find(kind, refOf(object))) !== undefined) throw alreadyExists(kind, object);
        write(kind, refOf(object), undefined, object);
        return object;
      },

      update: (kind, object, options) =>
        change(kind, refOf(object), (before) =>
          options?.subresource === 'status' ? { ...before, ...statusOf(object) } : { ...object, ...statusOf(before) },
        ),

      patch: (kind, ref, type, patch) =>
        change(kind, ref, (before) => {
          if (type === 'json') return jsonPatch(before, patch);
          return type === 'merge' ? mergePatch(before, patch) : strategicMerge(before, patch, kind.schema);
        }),

      async apply(kind, applied, { fieldManager, force = false }) {
        const live = await find(kind, refOf(applied));
        const writer = { manager: fieldManager, time: timestamp(clock) };
        const { object } = applyPatch({ ...writer, live, applied, schema: kind.schema, force });
        write(kind, refOf(applied), live, object as typeof applied);
        return object as typeof applied;
      },

      async delete(kind, ref) {
        write(kind, ref, await find(kind, ref), undefined);
        return undefined;
      },

      async deleteAll(kind, selection) {
        const { items } = await client.list(kind, selection);
        for (const item of items) write(kind, refOf(item), item, undefined);
      },
    };
  };
}

/** The server's refusal to create an object that exists: the cache need not show every object. */
function alreadyExists(kind: Kind, { metadata: { name } }: KubeObject): ApiError {
  const message = `${resourceName(kind)} "${name}" already exists`;
  const status = { status: 'Failure', reason: 'AlreadyExists', code: 409, message } as const;
  return new ApiError({ apiVersion: 'v1', kind: 'Status', metadata: {}, ...status });
}

function statusOf({ status }: KubeObject & { status?: unknown }): { status?: unknown } {
  return status === undefined ? {} : { status };
}
