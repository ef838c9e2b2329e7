// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { ownerUidsOf } from '../objects/owner-reference.ts';

/** A way to find objects by what they say: the values under which an object is found. Each cache builds it on first use. */
export interface Index<T extends KubeObject = KubeObject> {
  valuesOf(object: T): readonly string[];
}

/** Finds objects by the uid of whom they belong to. */
export const byOwner: Index = { valuesOf: ownerUidsOf };

/** Finds objects by their own uid. */
export const byUid: Index = { valuesOf: ({ metadata: { uid } }) => (uid === undefined ? [] : [uid]) };

/** Which objects stand under which value of an index. */
export interface ObjectIndex<T extends KubeObject> {
  objects(value: string): Iterable<T>;
  /** Takes over that one state of an object became another; undefined is none. */
  move(before: T | undefined, after: T | undefined): void;
}

/** An empty index. */
export function objectIndex<T extends KubeObject>(index: Index<T>): ObjectIndex<T> {
  const byValue = new Map<string, Set<T>>();

  return {
    objects: (value) => byValue.get(value) ?? [],

    move(before, after) {
      if (before !== undefined) {
        for (const value of valuesOf(index, before)) {
          const objects = byValue.get(value);
          objects?.delete(before);
          if (objects?.size === 0) byValue.delete(value);
        }
      }
      if (after !== undefined) {
        for (const value of valuesOf(index, after)) byValue.set(value, (byValue.get(value) ?? new Set()).add(after));
      }
    },
  };
}

/** The values of an object; none when the index cannot read it, for one odd object must not stop the watch of all. */
export function valuesOf<T extends KubeObject>(index: Index<T>, object: T): readonly string[] {
  try {
    return index.valuesOf(object);
  } catch {
    return [];
  }
}
