// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import type { ObjectStore } from './object-store.ts';

/** What is read of a store, and what our own writes add to it; the rest is for its watch. */
export type ReadStore<T extends KubeObject = KubeObject> = Omit<ObjectStore<T>, 'replace' | 'clear' | 'observe'>;

/** Combines the stores of several namespaces; objects in other namespaces are not found. */
export function namespaceStores<T extends KubeObject>(stores: ReadonlyMap<string, ObjectStore<T>>): ReadStore<T> {
  const all = [...stores].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, store]) => store);
  const [first] = all;
  const storeOf = ({ namespace = '' }: { namespace?: string | undefined }) => stores.get(namespace);
  const selected = (namespace: string | undefined) =>
    all.filter((store) => namespace === undefined || store === storeOf({ namespace }));
  return {
    fieldManagers: first?.fieldManagers ?? new Set(),
    get: (ref) => storeOf(ref)?.get(ref),
    list: (selection) => selected(selection?.namespace).flatMap((store) => store.list(selection)),
    peek: (ref) => storeOf(ref)?.peek(ref),
    metadataOnly: (selection) => selected(selection?.namespace).flatMap((store) => store.metadataOnly(selection)),
    cacheContent: (object) => storeOf(object.metadata)?.cacheContent(object),
    dropContent(where) {
      for (const store of all) store.dropContent(where);
    },
    applied: (ref, fieldManager) => storeOf(ref)?.applied(ref, fieldManager),
    wasDeleted: (ref) => storeOf(ref)?.wasDeleted(ref) ?? false,
    onChange(handler) {
      for (const store of all) store.onChange(handler);
    },
    recordWrite: (object) => storeOf(object.metadata)?.recordWrite(object),
    recordDeletion: (object) => storeOf(object.metadata)?.recordDeletion(object),
  };
}
