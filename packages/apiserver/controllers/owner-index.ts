// SPDX-License-Identifier: Apache-2.0
import type { StoredObject } from '../storage/stored-object.ts';

/** Index of dependents by owner. */
export interface OwnerIndex {
  add(object: StoredObject): void;
  remove(object: StoredObject): void;
  /** Keys of the dependents of this owner. */
  dependents(ownerUid: string): readonly string[];
}

/** Creates an empty index. */
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
