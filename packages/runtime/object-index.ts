// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/object.ts';
import { controllerOf } from './owner-reference.ts';

/** A way to find objects by what they say: the values under which an object is found. Each cache builds it on first use. */
export interface Index<T extends KubeObject = KubeObject> {
  valuesOf(object: T): readonly string[];
}

/** Finds objects by the uid of the owner that controls them. */
export const byController: Index = { valuesOf: (object) => [controllerOf(object)?.uid ?? ''] };

/** Which keys stand under which value of an index. */
export interface KeyIndex<T extends KubeObject> {
  keys(value: string): Iterable<string>;
  /** Takes over that the object of this key became another; undefined is none. */
  move(key: string, before: T | undefined, after: T | undefined): void;
}

/** An empty index. */
export function keyIndex<T extends KubeObject>(index: Index<T>): KeyIndex<T> {
  const keysByValue = new Map<string, Set<string>>();

  return {
    keys: (value) => keysByValue.get(value) ?? [],

    move(key, before, after) {
      for (const value of valuesOf(index, before)) {
        const keys = keysByValue.get(value);
        keys?.delete(key);
        if (keys?.size === 0) keysByValue.delete(value);
      }
      for (const value of valuesOf(index, after)) {
        keysByValue.set(value, (keysByValue.get(value) ?? new Set()).add(key));
      }
    },
  };
}

/** The values of an object; none when the index cannot read it, for one odd object must not stop the watch of all. */
export function valuesOf<T extends KubeObject>(index: Index<T>, object: T | undefined): readonly string[] {
  if (object === undefined) return [];
  try {
    return index.valuesOf(object);
  } catch {
    return [];
  }
}
