// SPDX-License-Identifier: Apache-2.0
import type { ObjectRef } from '@forge/kube/objects/object.ts';

/** A map by namespace and name: a map for each namespace costs less than a string for each pair. */
export interface RefMap<V> {
  get(ref: ObjectRef): V | undefined;
  set(ref: ObjectRef, value: V): void;
  delete(ref: ObjectRef): void;
  clear(): void;
  /** The values of a namespace, or all. */
  values(namespace?: string): Iterable<V>;
}

/** An empty map. */
export function refMap<V>(): RefMap<V> {
  const namespaces = new Map<string, Map<string, V>>();

  function* all(): Generator<V> {
    for (const space of namespaces.values()) yield* space.values();
  }

  return {
    get: ({ namespace = '', name }) => namespaces.get(namespace)?.get(name),

    set({ namespace = '', name }, value) {
      const space = namespaces.get(namespace);
      if (space === undefined) namespaces.set(namespace, new Map([[name, value]]));
      else space.set(name, value);
    },

    delete({ namespace = '', name }) {
      const space = namespaces.get(namespace);
      space?.delete(name);
      if (space?.size === 0) namespaces.delete(namespace);
    },

    clear: () => namespaces.clear(),
    values: (namespace) => (namespace === undefined ? all() : (namespaces.get(namespace)?.values() ?? [])),
  };
}
