// SPDX-License-Identifier: Apache-2.0
import type { ObjectList, WatchEvent } from '@forge/kube/client/client.ts';
import { fieldOf } from '@forge/kube/objects/json.ts';
import { refOf, type KubeObject, type ObjectRef } from '@forge/kube/objects/object.ts';
import { appliedFields } from '@forge/kube/patch/applied-fields.ts';
import type { FieldSet } from '@forge/kube/patch/field-set.ts';
import { boundedMap } from '../collections/bounded-map.ts';
import { refMap } from '../collections/ref-map.ts';
import type { Change } from '../objects/change.ts';
import { keyOf } from '../objects/object-key.ts';
import { isLater } from '../objects/resource-version.ts';
import { ContentNotCached, withoutContent } from './content-not-cached.ts';
import { byOwner, objectIndex, valuesOf, type Index, type ObjectIndex } from './object-index.ts';

/** What narrows a list from the cache. */
export interface CacheSelection<T extends KubeObject = KubeObject> {
  namespace?: string | undefined;
  labels?: Readonly<Record<string, string>>;
  /** The uid of whom they belong to. */
  owner?: string;
  /** Found under this value of this index. */
  where?: { index: Index<T>; value: string };
}

/** What a store keeps of what it is told. */
export interface ObjectStoreOptions<T extends KubeObject> {
  /** Whether somebody reads this object; of others only the metadata is held. Default: every one is read. */
  isRead?: (object: T) => boolean;
  /** Whether the watch would tell of this object. Default: of every one. */
  selects?: (object: T) => boolean;
}

/** What we did to an object and the watch has not told yet; without a state we deleted it, or it is no longer selected. */
interface OwnWrite<T> {
  ref: ObjectRef;
  uid: string | undefined;
  version: string;
  state: T | undefined;
  /** We took away the last that held it: it is not on its way out, but gone. */
  isDeleted?: boolean;
  /** We made it one that the watch does not tell of. */
  left?: boolean;
}

// Of a few thousand objects that went at once we may forget which they were.
const rememberedDeletions = 4096;

/**
 * The objects of one kind.
 *
 * Guarantees: reads show our own writes and deletions at once, and never fall back behind them; handlers hear every
 * change the watch tells, also the echo of our own, each with the state they heard last. A read of an object that is held
 * without its content throws `NotHeld`.
 *
 * Assumptions: resource versions of one kind can be compared.
 */
export interface ObjectStore<T extends KubeObject = KubeObject> {
  /** The managers whose applied fields it remembers: of no others it reads managedFields. */
  readonly fieldManagers: ReadonlySet<string>;
  get(ref: ObjectRef): T | undefined;
  /** In the order of namespace and name. */
  list(selection?: CacheSelection<T>): T[];
  /** What it shows of an object, of which the content may be missing. */
  peek(ref: ObjectRef): KubeObject | undefined;
  /** The objects that are held without their content. */
  metadataOnly(selection?: CacheSelection<T>): ObjectRef[];
  /** Holds the content of this object, which the server just showed, until it changes or is released. */
  cacheContent(object: T): void;
  /** Holds no longer the content of what is found there and nobody reads. */
  dropContent(where: { index: Index<T>; value: string }): void;
  /** The fields this manager applied last, as the server recorded them. */
  applied(ref: ObjectRef, fieldManager: string): FieldSet | undefined;
  /** Whether the watch told, not too long ago, that an object of this name went. */
  wasDeleted(ref: ObjectRef): boolean;
  onChange(handler: (change: Change<T>) => void): void;
  /** Takes over what a list tells once its last page has come, and resolves with the version it is true for. */
  replace(pages: AsyncIterable<ObjectList<T>>): Promise<string>;
  /** Takes over that the kind is not installed. */
  clear(): void;
  /** Takes over what a watch told. */
  observe(event: WatchEvent<T>): void;
  /** Takes over the server's answer to a write of ours. */
  recordWrite(object: T): void;
  /** Takes over that we deleted this object. */
  recordDeletion(object: T): void;
}

/** An empty store that remembers the applied fields of these managers. */
export function objectStore<T extends KubeObject>(
  fieldManagers: ReadonlySet<string>,
  { isRead = () => true, selects = () => true }: ObjectStoreOptions<T> = {},
): ObjectStore<T> {
  let watched = refMap<T>();
  const ownWrites = refMap<OwnWrite<T>>();
  const indexes = new Map<Index<T>, ObjectIndex<T>>();
  /** Of the objects we store, the fields each of our managers applied. */
  const appliedTo = new WeakMap<T, Map<string, FieldSet>>();
  /** The states that are held without their content. */
  const metadataOnlyStates = new WeakSet<T>();
  const recentlyDeleted = boundedMap<true>(rememberedDeletions);
  const handlers: ((change: Change<T>) => void)[] = [];
  /** How far the watch has come. */
  let position = '0';

  function current(ref: ObjectRef): T | undefined {
    const own = ownWrites.get(ref);
    return own === undefined ? watched.get(ref) : own.state;
  }

  /** The object as we store it. */
  function stored(object: T): T {
    return isRead(object) ? whole(object) : withoutContentOf(object);
  }

  /** Of its managedFields we need only what our managers applied. */
  function whole(object: T): T {
    const { managedFields: _, ...metadata } = object.metadata;
    // Rebuilt: an object that lost a property by `delete` costs a third more memory.
    const state = { ...object, metadata };
    for (const manager of fieldManagers) {
      const fields = appliedFields(object, manager);
      if (fields !== undefined) appliedTo.set(state, (appliedTo.get(state) ?? new Map()).set(manager, fields));
    }
    return state;
  }

  function withoutContentOf(object: T): T {
    const { managedFields: _, ...metadata } = object.metadata;
    const state = withoutContent({ ...object, metadata });
    metadataOnlyStates.add(state);
    return state;
  }

  function withContent(state: T): T {
    if (metadataOnlyStates.has(state)) throw new ContentNotCached(state);
    return state;
  }

  /** Takes another form of the same state: nothing has happened to the object. */
  function replaceForm(before: T, after: T): void {
    const own = ownWrites.get(before.metadata);
    if (own?.state === before) own.state = after;
    if (watched.get(before.metadata) !== before) return;
    watched.set(before.metadata, after);
    for (const index of indexes.values()) index.move(before, after);
  }

  function selected({ namespace, labels = {}, owner, where }: CacheSelection<T> = {}): T[] {
    const owned = owner === undefined ? [] : [{ index: byOwner, value: owner }];
    const places = where === undefined ? owned : [where, ...owned];
    const [first] = places;
    const told = first === undefined ? watched.values(namespace) : indexed(first.index).objects(first.value);
    const wanted = Object.entries(labels);
    return [...told]
      .filter(({ metadata }) => ownWrites.get(metadata) === undefined)
      .concat([...ownWrites.values()].flatMap(({ state }) => state ?? []))
      .filter((object) => places.every(({ index, value }) => valuesOf(index, object).includes(value)))
      .filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace)
      .filter(({ metadata }) => wanted.every(([label, value]) => fieldOf(metadata.labels ?? {}, label) === value))
      .toSorted(byNamespaceAndName);
  }

  function indexed(index: Index<T>): ObjectIndex<T> {
    const known = indexes.get(index);
    if (known !== undefined) return known;
    const fresh = objectIndex(index);
    for (const object of watched.values()) fresh.move(undefined, object);
    indexes.set(index, fresh);
    return fresh;
  }

  /** Remembers the state the watch told and tells the handlers. */
  function recordState(ref: ObjectRef, after: T | undefined): void {
    const before = watched.get(ref);
    if (after === undefined) watched.delete(ref);
    else watched.set(ref, after);
    notify(before, after);
  }

  /** Tells indexes and handlers of a change; another uid under the same name is another object. */
  function notify(before: T | undefined, after: T | undefined): void {
    if (before !== undefined && after !== undefined && before.metadata.uid !== after.metadata.uid) {
      notify(before, undefined);
      return notify(undefined, after);
    }
    if (before !== undefined && after === undefined) recentlyDeleted.set(keyOf(before.metadata), true);
    for (const index of indexes.values()) index.move(before, after);
    const partial = [before, after].some((state) => state !== undefined && metadataOnlyStates.has(state));
    for (const handler of handlers) handler(partial ? { before, after, partial } : { before, after });
  }

  /** Whether the watch, by telling this object or that there is none, has caught up with what we did. */
  function isSuperseded(own: OwnWrite<T>, told: KubeObject | undefined, version: string): boolean {
    if (own.state !== undefined || own.left === true) return !isLater(own.version, version);
    if (told !== undefined && told.metadata.uid === own.uid) return own.isDeleted !== true && isTerminating(told);
    // What is gone, or has been replaced, may still be a predecessor of what we deleted.
    return isLater(version, own.version);
  }

  /** Takes over the server's answer to a write of ours. */
  function recordWrite(object: T): void {
    const ref = refOf(object);
    const { uid } = object.metadata;
    const version = versionOf(object);
    if (isDeletable(object)) {
      // Otherwise the watch was faster than the answer.
      const isShown = [watched.get(ref), ownWrites.get(ref)?.state].some((known) => known?.metadata.uid === uid);
      if (!isShown) return;
      ownWrites.set(ref, { ref, uid, version: version ?? position, state: undefined, isDeleted: true });
      return;
    }
    // The watch may have been faster than the answer, and may even have told since that the object is gone.
    if (version === undefined || !isLater(version, position)) return;
    const left = !selects(object);
    if (left && current(ref)?.metadata.uid !== uid) return;
    const own = ownWrites.get(ref);
    if (own !== undefined && !isLater(version, own.version)) return;
    if (own !== undefined && own.state === undefined && own.left !== true && own.uid === uid) return;
    ownWrites.set(ref, { ref, uid, version, state: left ? undefined : stored(object), left });
  }

  return {
    fieldManagers,

    get(ref) {
      const state = current(ref);
      return state && withContent(state);
    },

    list: (selection) => selected(selection).map(withContent),
    peek: current,
    metadataOnly: (selection) =>
      selected(selection).flatMap((state) => (metadataOnlyStates.has(state) ? [refOf(state)] : [])),

    cacheContent(object) {
      recordWrite(object);
      const known = current(refOf(object));
      if (known === undefined || !metadataOnlyStates.has(known) || versionOf(known) !== versionOf(object)) return;
      replaceForm(known, whole(object));
    },

    dropContent({ index, value }) {
      for (const state of indexed(index).objects(value)) {
        if (!metadataOnlyStates.has(state) && !isRead(state)) replaceForm(state, withoutContentOf(state));
      }
    },

    applied(ref, fieldManager) {
      const state = current(ref);
      return state && appliedTo.get(state)?.get(fieldManager);
    },

    wasDeleted: (ref) => recentlyDeleted.get(keyOf(ref)) ?? false,

    onChange(handler) {
      handlers.push(handler);
    },

    async replace(pages) {
      const told = refMap<T>();
      let version = '';
      for await (const { items, resourceVersion } of pages) {
        // Page by page, so that what we do not store is gone before the next one comes.
        for (const item of items) told.set(item.metadata, stored(item));
        version = resourceVersion;
      }
      position = version;
      for (const own of ownWrites.values())
        if (isSuperseded(own, told.get(own.ref), version)) ownWrites.delete(own.ref);
      const before = watched;
      for (const old of before.values()) {
        const state = told.get(old.metadata);
        if (state === undefined || versionOf(state) !== versionOf(old)) continue;
        // Handlers and indexes know the old one, and nothing has happened to it.
        if (metadataOnlyStates.has(state) === metadataOnlyStates.has(old)) told.set(old.metadata, old);
        else replaceForm(old, state);
      }
      watched = told;
      for (const old of before.values()) if (told.get(old.metadata) === undefined) notify(old, undefined);
      for (const state of told.values()) {
        const old = before.get(state.metadata);
        if (old !== state) notify(old, state);
      }
      return version;
    },

    clear() {
      position = '0';
      ownWrites.clear();
      for (const { metadata } of watched.values()) recordState(metadata, undefined);
    },

    observe({ type, object }) {
      position = versionOf(object) ?? position;
      if (type === 'BOOKMARK') return;
      const isLast = type === 'DELETED';
      const own = ownWrites.get(object.metadata);
      if (own !== undefined && isSuperseded(own, isLast ? undefined : object, position))
        ownWrites.delete(object.metadata);
      recordState(object.metadata, isLast ? undefined : stored(object));
    },

    recordWrite,

    recordDeletion(object) {
      const ref = refOf(object);
      const { uid } = object.metadata;
      const known = current(ref);
      // The watch may have been faster than the answer; and of an object on its way out it may tell nothing for long.
      if (known === undefined || known.metadata.uid !== uid || isTerminating(known)) return;
      ownWrites.set(ref, { ref, uid, version: versionOf(known) ?? position, state: undefined });
    },
  };
}

function byNamespaceAndName({ metadata: one }: KubeObject, { metadata: other }: KubeObject): number {
  return compare(one.namespace ?? '', other.namespace ?? '') || compare(one.name, other.name);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function versionOf(object: KubeObject | undefined): string | undefined {
  return object?.metadata.resourceVersion;
}

/** Whether nothing holds a dying object any more: an answer that shows it so tells that it is gone. */
function isDeletable({ metadata, spec }: KubeObject & { spec?: { finalizers?: readonly string[] } }): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = metadata;
  // What holds a Namespace stands in its spec.
  const holding = [...finalizers, ...(spec?.finalizers ?? [])];
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && holding.length === 0;
}

function isTerminating(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}
