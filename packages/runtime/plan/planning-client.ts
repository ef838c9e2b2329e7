// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client.ts';
import type { Kind } from '@forge/kube/kind.ts';
import { refOf, type KubeObject, type ObjectRef } from '@forge/kube/object.ts';
import { applyPatch } from '@forge/kube/patch/apply.ts';
import { jsonPatch } from '@forge/kube/patch/json-patch.ts';
import { mergePatch } from '@forge/kube/patch/merge-patch.ts';
import { strategicMerge } from '@forge/kube/patch/strategic-merge.ts';
import { timestamp, type Clock } from '../clock.ts';
import { plannedWrite, type PlannedWrite } from './planned-write.ts';

/** Reads the cluster and writes nowhere: what would be written is told to `plan`, and answered as a server would. */
export function planningClient(
  client: Client,
  step: string,
  clock: Clock,
  plan: (write: PlannedWrite) => void,
): Client {
  function write<T extends KubeObject>(before: T | undefined, after: T | undefined): void {
    const planned = plannedWrite(step, before, after);
    if (planned !== undefined) plan(planned);
  }

  async function change<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, to: (before: T) => unknown): Promise<T> {
    const before = await client.get(kind, ref);
    const after = to(before) as T;
    write(before, after);
    return after;
  }

  return {
    ...client,

    async create(_, object) {
      write(undefined, object);
      return object;
    },

    update: (kind, object) => change(kind, refOf(object), () => object),

    patch: (kind, ref, type, patch) =>
      change(kind, ref, (before) => {
        if (type === 'json') return jsonPatch(before, patch);
        return type === 'merge' ? mergePatch(before, patch) : strategicMerge(before, patch, kind.schema);
      }),

    async apply(kind, applied, { fieldManager }) {
      const live = await client.find(kind, refOf(applied));
      const writer = { manager: fieldManager, time: timestamp(clock) };
      const { object } = applyPatch({ ...writer, live, applied, schema: kind.schema, force: true });
      write(live, object as typeof applied);
      return object as typeof applied;
    },

    async delete(kind, ref) {
      write(await client.find(kind, ref), undefined);
    },
  };
}
