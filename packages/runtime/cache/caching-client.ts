// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject, ObjectRef } from '@forge/kube/objects/object.ts';
import type { SharedCache } from './cache.ts';

/** A client that records its writes and live reads in the cache, so that cached reads never fall behind them. */
export function cachingClient(client: Client, cache: SharedCache): Client {
  async function recorded<T extends KubeObject>(
    kind: Kind<T>,
    write: Promise<T>,
    options: { dryRun?: boolean } = {},
  ): Promise<T> {
    const answer = await write;
    // Some subresources respond with another kind.
    if (options.dryRun !== true && answer.kind === kind.kind) {
      for (const store of cache.stores(kind)) store.recordWrite(answer);
    }
    return answer;
  }

  /** The cached object of this name, to be removed once the server reports that it does not exist. */
  function snapshot<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): { forget(): void } {
    const known = cache.stores(kind).map((store) => [store, store.peek(ref) as T | undefined] as const);
    return {
      forget() {
        for (const [store, object] of known) if (object !== undefined) store.recordDeletion(object);
      },
    };
  }

  return {
    ...client,
    async find(kind, ref, options) {
      // A subresource may be missing, or of another kind, while the object is there.
      if (options?.subresource !== undefined) return await client.find(kind, ref, options);
      const known = snapshot(kind, ref);
      const found = await client.find(kind, ref, options);
      if (found === undefined) known.forget();
      else for (const store of cache.stores(kind)) store.recordWrite(found);
      return found;
    },
    create: (kind, object, options) => recorded(kind, client.create(kind, object, options), options),
    update: (kind, object, options) => recorded(kind, client.update(kind, object, options), options),
    patch: (kind, ref, type, patch, options) => recorded(kind, client.patch(kind, ref, type, patch, options), options),
    apply: (kind, object, options) => recorded(kind, client.apply(kind, object, options), options),
    async delete(kind, ref, options) {
      const known = snapshot(kind, ref);
      const terminating = await client.delete(kind, ref, options);
      if (options?.dryRun === true) return terminating;
      if (terminating === undefined) known.forget();
      else for (const store of cache.stores(kind)) store.recordWrite(terminating);
      return terminating;
    },
  };
}
