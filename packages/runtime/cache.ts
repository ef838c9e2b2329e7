// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client.ts';
import type { Kind } from '@forge/kube/kind.ts';
import type { KubeObject, ObjectRef } from '@forge/kube/object.ts';
import type { Clock } from './clock.ts';
import { listAndWatch } from './list-and-watch.ts';
import type { Logger } from './logger.ts';
import { objectStore, type CacheSelection, type ObjectStore } from './object-store.ts';
import type { FieldSet } from './owned-part.ts';
import type { Random } from './random.ts';

/** The cluster as the watches told it, ahead of them by what we wrote ourselves. */
export interface Cache {
  get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): T | undefined;
  /** In the order of namespace and name. */
  list<T extends KubeObject>(kind: Kind<T>, selection?: CacheSelection): T[];
  /** The fields this manager of ours applied last, as the server recorded them. */
  applied(kind: Kind, ref: ObjectRef, fieldManager: string): FieldSet | undefined;
}

/** A cache that several controllers share: one list and watch per kind. */
export interface SharedCache extends Cache {
  /** The store of a kind, watched from the start on. */
  open<T extends KubeObject>(kind: Kind<T>): ObjectStore<T>;
  /** The store of a kind, if it is watched. */
  find<T extends KubeObject>(kind: Kind<T>): ObjectStore<T> | undefined;
  /** Resolves when every kind has been listed, or the signal aborts; watches until it does. */
  start(signal: AbortSignal): Promise<void>;
}

/** What a shared cache needs from outside. */
export interface SharedCacheOptions {
  client: Client;
  clock: Clock;
  random: Random;
  log: Logger;
  namespace?: string | undefined;
  fieldManagers: ReadonlySet<string>;
}

/** An empty cache; name its kinds with `open`, then start it. */
export function sharedCache({ namespace, fieldManagers, ...context }: SharedCacheOptions): SharedCache {
  const opened = new Map<string, { kind: Kind; store: ObjectStore }>();

  function find<T extends KubeObject>(kind: Kind<T>): ObjectStore<T> | undefined {
    // A store holds the objects of the kind it was opened for.
    return opened.get(identityOf(kind))?.store as ObjectStore<T> | undefined;
  }

  function storeOf<T extends KubeObject>(kind: Kind<T>): ObjectStore<T> {
    const store = find(kind);
    if (store === undefined) {
      throw new Error(`${kind.kind} is read but not watched: name it in the controller's owns, watches or reads`);
    }
    return store;
  }

  return {
    get: (kind, ref) => storeOf(kind).get(ref),
    list: (kind, selection) => storeOf(kind).list(selection),
    applied: (kind, ref, fieldManager) => storeOf(kind).applied(ref, fieldManager),
    find,

    open<T extends KubeObject>(kind: Kind<T>): ObjectStore<T> {
      const existing = find(kind);
      if (existing !== undefined) return existing;
      const store = objectStore<T>(fieldManagers);
      opened.set(identityOf(kind), { kind, store });
      return store;
    },

    async start(signal) {
      const listed = [...opened.values()].map(
        ({ kind, store }) =>
          new Promise<void>((resolve) => {
            const scope = kind.scope === 'Namespaced' ? namespace : undefined;
            void listAndWatch({ ...context, kind, store, namespace: scope, signal, onListed: resolve }).then(resolve);
          }),
      );
      await Promise.all(listed);
    },
  };
}

function identityOf({ group, plural }: Kind): string {
  return `${plural}.${group}`;
}
