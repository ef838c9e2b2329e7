// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { ownerUidsOf } from '../objects/owner-reference.ts';

/** Finds objects by computed values. Each cache builds the index on first use. */
export interface Index<T extends KubeObject = KubeObject> {
  valuesOf(object: T): readonly string[];
}

/** Finds objects by the uid of their owner. */
export const byOwner: Index = { valuesOf: ownerUidsOf };

/** Finds objects by their own uid. */
export const byUid: Index = { valuesOf: ({ metadata: { uid } }) => (uid === undefined ? [] : [uid]) };

/** The objects by the values of an index. */
export interface ObjectIndex<T extends KubeObject> {
  objects(value: string): Iterable<T>;
  /** Replaces one state of an object by another; undefined for none. */
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

/** The values of an object; none when the index throws: one malformed object must not stop the watch. */
export function valuesOf<T extends KubeObject>(index: Index<T>, object: T): readonly string[] {
  try {
    return index.valuesOf(object);
  } catch {
    return [];
  }
}
