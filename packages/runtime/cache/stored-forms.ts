// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { appliedFields } from '@forge/kube/patch/applied-fields.ts';
import type { FieldSet } from '@forge/kube/patch/field-set.ts';
import { ContentNotCached, withoutContent } from './content-not-cached.ts';
import { interner } from './interner.ts';

/** How the objects of a kind are kept in memory: without managedFields, and as metadata only unless they are read. */
export interface StoredForms<T extends KubeObject> {
  /** The object as it is kept. */
  stored(object: T): T;
  /** The same of an object of a list or watch, which nobody else holds: equal parts are shared. */
  storedShared(object: T): T;
  /** The object with its content; what our managers applied is remembered. */
  whole(object: T): T;
  /** The object as metadata only. */
  withoutContent(object: T): T;
  /** The state itself; throws `ContentNotCached` when it is metadata only. */
  withContent(state: T): T;
  isMetadataOnly(state: T): boolean;
  /** The fields that this manager applied, by the whole object that a state was made from. */
  applied(state: T, fieldManager: string): FieldSet | undefined;
}

/** The forms of objects of which some are read; the applied fields of these managers are remembered. */
export function storedForms<T extends KubeObject>(
  fieldManagers: ReadonlySet<string>,
  isRead: (object: T) => boolean,
): StoredForms<T> {
  /** The fields that each of our managers applied, by object. */
  const appliedTo = new WeakMap<T, Readonly<Record<string, FieldSet>>>();
  const metadataOnlyStates = new WeakSet<T>();
  const contents = interner();
  const fieldSets = interner();

  const stored = (object: T): T => (isRead(object) ? whole(object) : asMetadata(object));

  function whole(object: T): T {
    const { managedFields: _, ...metadata } = object.metadata;
    // Rebuilt: an object that lost a property by `delete` costs a third more memory.
    const state = { ...object, metadata };
    for (const manager of fieldManagers) {
      const fields = appliedFields(object, manager);
      if (fields !== undefined) appliedTo.set(state, { ...appliedTo.get(state), [manager]: fields });
    }
    return state;
  }

  function asMetadata(object: T): T {
    const { managedFields: _, ...metadata } = object.metadata;
    const state = withoutContent({ ...object, metadata });
    metadataOnlyStates.add(state);
    return state;
  }

  return {
    stored,
    whole,
    withoutContent: asMetadata,

    storedShared(object) {
      const state = stored(object);
      // What is frozen belongs to an API server in this process.
      if (Object.isFrozen(object)) return state;
      contents.internParts(state);
      fieldSets.internParts(appliedTo.get(state) ?? {});
      return state;
    },

    withContent(state) {
      if (metadataOnlyStates.has(state)) throw new ContentNotCached(state);
      return state;
    },

    isMetadataOnly: (state) => metadataOnlyStates.has(state),
    applied: (state, fieldManager) => appliedTo.get(state)?.[fieldManager],
  };
}
