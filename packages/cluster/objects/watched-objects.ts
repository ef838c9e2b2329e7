// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject, ObjectRef } from '@forge/kube/objects/object.ts';
import { listAndWatch } from '@forge/runtime/cache/list-and-watch.ts';
import { objectStore, type ObjectStore } from '@forge/runtime/cache/object-store.ts';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { Random } from '@forge/runtime/environment/random.ts';
import { keyOf } from '@forge/runtime/objects/object-key.ts';
import type { Logger } from '@forge/runtime/observability/logger.ts';

/** Dependencies of a watch. */
export interface WatchContext {
  client: Client;
  clock: Clock;
  random: Random;
  log: Logger;
}

/** A watched object. */
export interface WatchedObject<T extends KubeObject> {
  /** The current object; undefined when it does not exist. An immutable one stays, as in the kubelet, while it is watched. */
  current(): T | undefined;
  release(): void;
}

interface Watch {
  store: ObjectStore;
  listed: Promise<void>;
  listeners: Set<() => void>;
  abort: AbortController;
  /** What the object was when it was immutable: one of the same name that replaces it is not for those who have this one. */
  final?: KubeObject;
}

/**
 * Watches single objects; all callers share one watch per object, which ends with the last caller.
 *
 * Objects are watched by name, because a node may read only the Secrets and ConfigMaps of its own pods.
 */
export function watchedObjects(context: WatchContext) {
  const watches = new Map<string, Watch>();

  function open(kind: Kind, { namespace, name }: ObjectRef): Watch {
    const store = objectStore(new Set());
    const abort = new AbortController();
    const listeners = new Set<() => void>();
    store.onChange(() => {
      for (const listener of listeners) listener();
    });
    const client = selecting(context.client, `metadata.name=${name}`);
    const listed = new Promise<void>((resolve) => {
      void listAndWatch({
        ...context,
        client,
        kind,
        namespace,
        store,
        onListed: () => resolve(),
        signal: abort.signal,
      });
    });
    return { store, listed, listeners, abort };
  }

  return {
    /** Resolves when the object's state is known; `changed` is called on every later change. */
    async watch<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, changed: () => void): Promise<WatchedObject<T>> {
      const key = `${kind.plural}/${keyOf(ref)}`;
      const watch = watches.get(key) ?? open(kind, ref);
      watches.set(key, watch);
      // A new function each time, so that the same listener can be added twice.
      const listener = () => changed();
      watch.listeners.add(listener);
      await watch.listed;
      return {
        current: () => currentOf(watch, ref) as T | undefined,
        release() {
          watch.listeners.delete(listener);
          if (watch.listeners.size > 0) return;
          watch.abort.abort();
          watches.delete(key);
        },
      };
    },
  };
}

function currentOf(watch: Watch, ref: ObjectRef): KubeObject | undefined {
  const current: (KubeObject & { immutable?: unknown }) | undefined = watch.final ?? watch.store.get(ref);
  if (current?.immutable === true && watch.final === undefined) {
    watch.final = current;
    watch.abort.abort();
  }
  return current;
}

/** A client whose lists and watches use this field selector. */
export function selecting(client: Client, fieldSelector: string): Client {
  return {
    ...client,
    list: (kind, options) => client.list(kind, { ...options, fieldSelector }),
    watch: (kind, options) => client.watch(kind, { ...options, fieldSelector }),
  };
}
