// SPDX-License-Identifier: Apache-2.0
import type { StoredObject } from '../storage/stored-object.ts';

/** Knows which objects name which owner. */
export interface OwnerIndex {
  add(object: StoredObject): void;
  remove(object: StoredObject): void;
  /** The keys of the objects that name this owner. */
  dependents(ownerUid: string): readonly string[];
}

/** An index that is empty. */
export function ownerIndex(): OwnerIndex {
  const keysByOwner = new Map<string, Set<string>>();
  return {
    add({ key, value }) {
      for (const { uid } of value.metadata.ownerReferences ?? []) {
        const keys = keysByOwner.get(uid) ?? new Set();
        keysByOwner.set(uid, keys.add(key));
      }
    },
    remove({ key, value }) {
      for (const { uid } of value.metadata.ownerReferences ?? []) {
        const keys = keysByOwner.get(uid);
        keys?.delete(key);
        if (keys?.size === 0) keysByOwner.delete(uid);
      }
    },
    dependents: (ownerUid) => [...(keysByOwner.get(ownerUid) ?? [])],
  };
}
