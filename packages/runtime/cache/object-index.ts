// SPDX-License-Identifier: Apache-2.0
import { refOf, type KubeObject } from '@forge/kube/objects/object.ts';
import { keyOf } from '../objects/object-key.ts';
import { ownerUidsOf } from '../objects/owner-reference.ts';

/** Finds objects by computed values. Each cache builds the index on first use. */
export interface Index<T extends KubeObject = KubeObject> {
  valuesOf(object: T): readonly string[];
}

/** Finds objects by the uid of their owner. */
export const byOwner: Index = { valuesOf: ownerUidsOf };

/** Finds objects by their own uid. */
export const byUid: Index = { valuesOf: ({ metadata: { uid } }) => (uid === undefined ? [] : [uid]) };

/** Finds objects by namespace and name; the store itself serves as this index. */
export const byKey: Index = { valuesOf: (object) => [keyOf(refOf(object))] };

/** The objects by the values of an index. */
export interface ObjectIndex<T extends KubeObject> {
  objects(value: string): Iterable<T>;
  /** Replaces one state of an object by another; undefined for none. */
  move(before: T | undefined, after: T | undefined): void;
}

/** An empty index. */
export function objectIndex<T extends KubeObject>(index: Index<T>): ObjectIndex<T> {
  /** Most values belong to one object: a set for each would cost more memory than the rest of the index. */
  const byValue = new Map<string, T | Set<T>>();

  function remove(value: string, object: T): void {
    const known = byValue.get(value);
    if (known instanceof Set) known.delete(object);
    if (known === object || (known instanceof Set && known.size === 0)) byValue.delete(value);
  }

  function add(value: string, object: T): void {
    const known = byValue.get(value);
    if (known instanceof Set) known.add(object);
    else byValue.set(value, known === undefined || known === object ? object : new Set([known, object]));
  }

  return {
    objects(value) {
      const known = byValue.get(value);
      if (known instanceof Set) return known;
      return known === undefined ? [] : [known];
    },

    move(before, after) {
      if (before !== undefined) for (const value of valuesOf(index, before)) remove(value, before);
      if (after !== undefined) for (const value of valuesOf(index, after)) add(value, after);
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
