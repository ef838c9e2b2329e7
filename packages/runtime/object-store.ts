// SPDX-License-Identifier: Apache-2.0
import type { WatchEvent } from '@forge/kube/client.ts';
import { refOf, type KubeObject, type ObjectRef } from '@forge/kube/object.ts';
import type { Change } from './change.ts';
import { byController, keyIndex, valuesOf, type Index, type KeyIndex } from './object-index.ts';
import { keyOf } from './object-key.ts';
import { appliedFields, type FieldSet } from './owned-part.ts';
import { isLater } from './resource-version.ts';

/** What narrows a list from the cache. */
export interface CacheSelection<T extends KubeObject = KubeObject> {
  namespace?: string | undefined;
  labels?: Readonly<Record<string, string>>;
  /** The uid of the controlling owner. */
  owner?: string;
  /** Found under this value of this index. */
  where?: { index: Index<T>; value: string };
}

/** What a store keeps of what it is told. */
export interface ObjectStoreOptions<T extends KubeObject> {
  /** Drops what nobody reads before an object is stored. */
  trim?: (object: T) => T;
  /** Whether the watch would tell of this object. Default: of every one. */
  selects?: (object: T) => boolean;
}

/** An object without its managedFields, and what of them we need: the fields each of our managers applied. */
interface Entry<T> {
  object: T;
  applied: ReadonlyMap<string, FieldSet>;
}

/** What we did to an object and the watch has not told yet; without an entry we deleted it. */
interface Ahead<T> {
  uid: string | undefined;
  version: string;
  entry: Entry<T> | undefined;
}

/**
 * The objects of one kind.
 *
 * Guarantees: reads show our own writes and deletions at once, and never fall back behind them; handlers hear every
 * change the watch tells, also the echo of our own, each with the state they heard last.
 *
 * Assumptions: resource versions of one kind can be compared.
 */
export interface ObjectStore<T extends KubeObject = KubeObject> {
  get(ref: ObjectRef): T | undefined;
  /** In the order of namespace and name. */
  list(selection?: CacheSelection<T>): T[];
  /** The fields this manager applied last, as the server recorded them. */
  applied(ref: ObjectRef, fieldManager: string): FieldSet | undefined;
  onChange(handler: (change: Change<T>) => void): void;
  /** Takes over what a list told. */
  replace(items: readonly T[], version: string): void;
  /** Takes over that the kind is not installed. */
  clear(): void;
  /** Takes over what a watch told. */
  observe(event: WatchEvent<T>): void;
  /** Takes over the server's answer to a write of ours. */
  wrote(object: T): void;
  /** Takes over that we deleted this object. */
  deleted(object: T): void;
}

/** An empty store that remembers the applied fields of these managers. */
export function objectStore<T extends KubeObject>(
  fieldManagers: ReadonlySet<string>,
  { trim = (object) => object, selects = () => true }: ObjectStoreOptions<T> = {},
): ObjectStore<T> {
  const seen = new Map<string, Entry<T>>();
  const indexes = new Map<Index<T>, KeyIndex<T>>();
  const ahead = new Map<string, Ahead<T>>();
  const handlers: ((change: Change<T>) => void)[] = [];
  /** How far the watch has come. */
  let position = '0';

  function current(key: string): Entry<T> | undefined {
    const own = ahead.get(key);
    return own === undefined ? seen.get(key) : own.entry;
  }

  function entryOf(object: T): Entry<T> {
    const { managedFields, ...metadata } = object.metadata;
    const applied = new Map<string, FieldSet>();
    if (managedFields !== undefined) {
      for (const manager of fieldManagers) {
        const fields = appliedFields(object, manager);
        if (fields !== undefined) applied.set(manager, fields);
      }
    }
    // Rebuilt: an object that lost a property by `delete` costs a third more memory.
    return { object: trim({ ...object, metadata }), applied };
  }

  function indexed(index: Index<T>): KeyIndex<T> {
    const known = indexes.get(index);
    if (known !== undefined) return known;
    const fresh = keyIndex(index);
    for (const [key, { object }] of seen) fresh.move(key, undefined, object);
    indexes.set(index, fresh);
    return fresh;
  }

  /** Remembers the state the watch told and tells the handlers; another uid under the same name is another object. */
  function see(key: string, after: Entry<T> | undefined): void {
    const before = seen.get(key);
    if (before !== undefined && after !== undefined && before.object.metadata.uid !== after.object.metadata.uid) {
      see(key, undefined);
      return see(key, after);
    }
    if (after === undefined) seen.delete(key);
    else seen.set(key, after);
    for (const index of indexes.values()) index.move(key, before?.object, after?.object);
    for (const handler of handlers) handler({ before: before?.object, after: after?.object });
  }

  /** Whether the watch, by telling this object or that there is none, has caught up with what we did. */
  function hasCaughtUp(own: Ahead<T>, told: KubeObject | undefined, version: string): boolean {
    if (own.entry !== undefined) return !isLater(own.version, version);
    if (told !== undefined && told.metadata.uid === own.uid) return isTerminating(told);
    // What is gone, or has been replaced, may still be a predecessor of what we deleted.
    return isLater(version, own.version);
  }

  return {
    get: (ref) => current(keyOf(ref))?.object,

    list({ namespace, labels = {}, owner, where } = {}) {
      const owned = owner === undefined ? [] : [{ index: byController, value: owner }];
      const found = where === undefined ? owned : [where, ...owned];
      const [first] = found;
      const candidates = first === undefined ? seen.keys() : indexed(first.index).keys(first.value);
      const wanted = Object.entries(labels);
      return [...new Set([...candidates, ...ahead.keys()])]
        .toSorted()
        .map((key) => current(key)?.object)
        .filter((object) => object !== undefined)
        .filter((object) => found.every(({ index, value }) => valuesOf(index, object).includes(value)))
        .filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace)
        .filter(({ metadata }) => wanted.every(([label, value]) => metadata.labels?.[label] === value));
    },

    applied: (ref, fieldManager) => current(keyOf(ref))?.applied.get(fieldManager),

    onChange(handler) {
      handlers.push(handler);
    },

    replace(items, version) {
      position = version;
      const told = new Map(items.map((item) => [keyOf(refOf(item)), item]));
      for (const [key, own] of ahead) if (hasCaughtUp(own, told.get(key), version)) ahead.delete(key);
      for (const key of seen.keys()) if (!told.has(key)) see(key, undefined);
      for (const [key, item] of told) {
        if (versionOf(seen.get(key)?.object) !== versionOf(item)) see(key, entryOf(item));
      }
    },

    clear() {
      position = '0';
      ahead.clear();
      for (const key of seen.keys()) see(key, undefined);
    },

    observe({ type, object }) {
      position = versionOf(object) ?? position;
      if (type === 'BOOKMARK') return;
      const key = keyOf(refOf(object));
      const gone = type === 'DELETED';
      const own = ahead.get(key);
      if (own !== undefined && hasCaughtUp(own, gone ? undefined : object, position)) ahead.delete(key);
      see(key, gone ? undefined : entryOf(object));
    },

    wrote(object) {
      const key = keyOf(refOf(object));
      const version = versionOf(object);
      // The watch may have been faster than the answer, and may even have told since that the object is gone.
      if (version === undefined || !isLater(version, position) || !selects(object)) return;
      const own = ahead.get(key);
      const { uid } = object.metadata;
      if (own !== undefined && !isLater(version, own.version)) return;
      if (own !== undefined && own.entry === undefined && own.uid === uid) return;
      ahead.set(key, { uid, version, entry: entryOf(object) });
    },

    deleted({ metadata: { uid, ...metadata } }) {
      const key = keyOf(metadata);
      const known = current(key)?.object;
      // The watch may have been faster than the answer; and of an object on its way out it may tell nothing for long.
      if (known === undefined || known.metadata.uid !== uid || isTerminating(known)) return;
      ahead.set(key, { uid, version: versionOf(known) ?? position, entry: undefined });
    },
  };
}

function versionOf(object: KubeObject | undefined): string | undefined {
  return object?.metadata.resourceVersion;
}

function isTerminating(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}
