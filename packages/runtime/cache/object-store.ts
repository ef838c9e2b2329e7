// SPDX-License-Identifier: Apache-2.0
import type { ObjectList, WatchEvent } from '@forge/kube/client/client.ts';
import { fieldOf } from '@forge/kube/objects/json.ts';
import { isTerminating, refOf, type KubeObject, type ObjectRef } from '@forge/kube/objects/object.ts';
import type { FieldSet } from '@forge/kube/patch/field-set.ts';
import { boundedMap } from '../collections/bounded-map.ts';
import { refMap } from '../collections/ref-map.ts';
import type { Change } from '../objects/change.ts';
import { keyOf, refFromKey } from '../objects/object-key.ts';
import { isLater } from '../objects/resource-version.ts';
import { byKey, byOwner, objectIndex, valuesOf, type Index, type ObjectIndex } from './object-index.ts';
import { storedForms } from './stored-forms.ts';

/** Filters of a list from the cache. */
export interface CacheSelection<T extends KubeObject = KubeObject> {
  namespace?: string | undefined;
  labels?: Readonly<Record<string, string>>;
  /** The uid of the owner. */
  owner?: string;
  /** Found under this value of this index. */
  where?: { index: Index<T>; value: string };
}

/** Which objects a store keeps, and how. */
export interface ObjectStoreOptions<T extends KubeObject> {
  /** Whether the object is read; others are kept as metadata only. Default: every object is read. */
  isRead?: (object: T) => boolean;
  /** Whether the watch covers this object. Default: every object. */
  selects?: (object: T) => boolean;
}

/** A write of ours that the watch has not delivered yet; without a state the object was deleted or left the selection. */
interface OwnWrite<T> {
  ref: ObjectRef;
  uid: string | undefined;
  version: string;
  state: T | undefined;
  /** We removed its last finalizer: it is not terminating but deleted. */
  isDeleted?: boolean;
  /** Our write took it out of the selection of the watch. */
  left?: boolean;
}

// Bounded: when thousands of objects are deleted at once, the oldest are forgotten.
const rememberedDeletions = 4096;

/**
 * The objects of one kind.
 *
 * Guarantees: reads show our own writes and deletions at once and never fall behind them; handlers observe every change
 * that the watch delivers, also those we made, each with the state they observed before. Reading an object that is cached
 * as metadata only throws `ContentNotCached`.
 *
 * Assumptions: resource versions of one kind can be compared.
 */
export interface ObjectStore<T extends KubeObject = KubeObject> {
  /** The managers whose applied fields are remembered; managedFields of others are not read. */
  readonly fieldManagers: ReadonlySet<string>;
  get(ref: ObjectRef): T | undefined;
  /** Sorted by namespace and name. */
  list(selection?: CacheSelection<T>): T[];
  /** The object as it is kept, possibly as metadata only. */
  peek(ref: ObjectRef): KubeObject | undefined;
  /** The objects that are kept as metadata only. */
  metadataOnly(selection?: CacheSelection<T>): ObjectRef[];
  /** Keeps the content of an object just fetched, until it changes or the content is dropped. */
  cacheContent(object: T): void;
  /** Drops the content of the objects under this value that are no longer read. */
  dropContent(where: { index: Index<T>; value: string }): void;
  /** The fields that this manager applied last, as the server recorded them. */
  applied(ref: ObjectRef, fieldManager: string): FieldSet | undefined;
  /** Whether the watch recently reported that an object of this name was deleted. */
  wasDeleted(ref: ObjectRef): boolean;
  onChange(handler: (change: Change<T>) => void): void;
  /** Replaces the content by a list once its last page has arrived; resolves with the list's resource version. */
  replace(pages: AsyncIterable<ObjectList<T>>): Promise<string>;
  /** Removes everything: the kind is not installed. */
  clear(): void;
  /** Records an event of the watch. */
  observe(event: WatchEvent<T>): void;
  /** Records the server's response to a write of ours. */
  recordWrite(object: T): void;
  /** Records that we deleted this object. */
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
  const forms = storedForms<T>(fieldManagers, isRead);
  const recentlyDeleted = boundedMap<true>(rememberedDeletions);
  const handlers: ((change: Change<T>) => void)[] = [];
  /** The resource version that the watch has reached. */
  let position = '0';

  function current(ref: ObjectRef): T | undefined {
    const own = ownWrites.get(ref);
    return own === undefined ? watched.get(ref) : own.state;
  }

  /** Replaces a state by one with or without content; the object itself has not changed. */
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
    const candidates = first === undefined ? watched.values(namespace) : found(first);
    const wanted = Object.entries(labels);
    return [...candidates]
      .filter(({ metadata }) => ownWrites.get(metadata) === undefined)
      .concat([...ownWrites.values()].flatMap(({ state }) => state ?? []))
      .filter((object) => places.every(({ index, value }) => valuesOf(index, object).includes(value)))
      .filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace)
      .filter(({ metadata }) => wanted.every(([label, value]) => fieldOf(metadata.labels ?? {}, label) === value))
      .toSorted(byNamespaceAndName);
  }

  /** The watched objects under this value of an index. */
  function found({ index, value }: { index: Index<T>; value: string }): Iterable<T> {
    if (index !== byKey) return indexed(index).objects(value);
    const state = watched.get(refFromKey(value));
    return state === undefined ? [] : [state];
  }

  function indexed(index: Index<T>): ObjectIndex<T> {
    const known = indexes.get(index);
    if (known !== undefined) return known;
    const fresh = objectIndex(index);
    for (const object of watched.values()) fresh.move(undefined, object);
    indexes.set(index, fresh);
    return fresh;
  }

  /** Records a state that the watch delivered and notifies the handlers. */
  function recordState(ref: ObjectRef, after: T | undefined): void {
    const before = watched.get(ref);
    if (after === undefined) watched.delete(ref);
    else watched.set(ref, after);
    notify(before, after);
  }

  /** Notifies indexes and handlers of a change; another uid under the same name is another object. */
  function notify(before: T | undefined, after: T | undefined): void {
    if (before !== undefined && after !== undefined && before.metadata.uid !== after.metadata.uid) {
      notify(before, undefined);
      return notify(undefined, after);
    }
    if (before !== undefined && after === undefined) recentlyDeleted.set(keyOf(before.metadata), true);
    for (const index of indexes.values()) index.move(before, after);
    const partial = [before, after].some((state) => state !== undefined && forms.isMetadataOnly(state));
    for (const handler of handlers) handler(partial ? { before, after, partial } : { before, after });
  }

  /** Whether the watch, having delivered this object or its absence, has caught up with our write. */
  function isSuperseded(own: OwnWrite<T>, observed: KubeObject | undefined, version: string): boolean {
    if (own.state !== undefined || own.left === true) return !isLater(own.version, version);
    if (observed !== undefined && observed.metadata.uid === own.uid)
      return own.isDeleted !== true && isTerminating(observed);
    // A deleted or replaced object may still be a predecessor of the one we deleted.
    return isLater(version, own.version);
  }

  /** Records the server's response to a write of ours. */
  function recordWrite(object: T): void {
    const ref = refOf(object);
    const { uid } = object.metadata;
    const version = versionOf(object);
    if (isDeletable(object)) {
      // Otherwise the watch was faster than the response.
      const isShown = [watched.get(ref), ownWrites.get(ref)?.state].some((known) => known?.metadata.uid === uid);
      if (!isShown) return;
      ownWrites.set(ref, { ref, uid, version: version ?? position, state: undefined, isDeleted: true });
      return;
    }
    // The watch may have been faster than the response, and may even have delivered the deletion since.
    if (version === undefined || !isLater(version, position)) return;
    const left = !selects(object);
    if (left && current(ref)?.metadata.uid !== uid) return;
    const own = ownWrites.get(ref);
    if (own !== undefined && !isLater(version, own.version)) return;
    if (own !== undefined && own.state === undefined && own.left !== true && own.uid === uid) return;
    ownWrites.set(ref, { ref, uid, version, state: left ? undefined : forms.stored(object), left });
  }

  return {
    fieldManagers,

    get(ref) {
      const state = current(ref);
      return state && forms.withContent(state);
    },

    list: (selection) => selected(selection).map((state) => forms.withContent(state)),
    peek: current,
    metadataOnly: (selection) =>
      selected(selection).flatMap((state) => (forms.isMetadataOnly(state) ? [refOf(state)] : [])),

    cacheContent(object) {
      recordWrite(object);
      const known = current(refOf(object));
      if (known === undefined || !forms.isMetadataOnly(known) || versionOf(known) !== versionOf(object)) return;
      replaceForm(known, forms.whole(object));
    },

    dropContent(where) {
      for (const state of found(where)) {
        if (!forms.isMetadataOnly(state) && !isRead(state)) replaceForm(state, forms.withoutContent(state));
      }
    },

    applied(ref, fieldManager) {
      const state = current(ref);
      return state && forms.applied(state, fieldManager);
    },

    wasDeleted: (ref) => recentlyDeleted.get(keyOf(ref)) ?? false,

    onChange(handler) {
      handlers.push(handler);
    },

    async replace(pages) {
      const listed = refMap<T>();
      let version = '';
      for await (const { items, resourceVersion } of pages) {
        // Page by page, so that what is not kept is freed before the next page arrives.
        for (const item of items) listed.set(item.metadata, forms.storedShared(item));
        version = resourceVersion;
      }
      position = version;
      for (const own of ownWrites.values()) {
        const state = listed.get(own.ref);
        if (!isSuperseded(own, state, version)) continue;
        ownWrites.delete(own.ref);
        // Readers may have acted on our write: handlers must observe it before its consequences.
        if (own.state !== undefined && versionOf(state) !== own.version) recordState(own.ref, own.state);
      }
      const before = watched;
      for (const old of before.values()) {
        const state = listed.get(old.metadata);
        if (state === undefined || versionOf(state) !== versionOf(old)) continue;
        // Unchanged: handlers and indexes keep the old one.
        if (forms.isMetadataOnly(state) === forms.isMetadataOnly(old)) listed.set(old.metadata, old);
        else replaceForm(old, state);
      }
      watched = listed;
      for (const old of before.values()) if (listed.get(old.metadata) === undefined) notify(old, undefined);
      for (const state of listed.values()) {
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
      recordState(object.metadata, isLast ? undefined : forms.storedShared(object));
    },

    recordWrite,

    recordDeletion(object) {
      const ref = refOf(object);
      const { uid } = object.metadata;
      const known = current(ref);
      // The watch may have been faster than the response, and may deliver nothing for a terminating object for long.
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

/** Whether nothing holds a terminating object any more: a response that shows it like this means it is deleted. */
function isDeletable({ metadata, spec }: KubeObject & { spec?: { finalizers?: readonly string[] } }): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = metadata;
  // The finalizers of a Namespace are in its spec.
  const holding = [...finalizers, ...(spec?.finalizers ?? [])];
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && holding.length === 0;
}
