// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { History } from './history.ts';
import { OrderedMap } from './ordered-map.ts';
import type { Storage, StorageRecord, StorageState } from './storage.ts';
import { StoredObject } from './stored-object.ts';

/** One change: the object after it (for a deletion, its last state), and before it. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly object: StoredObject;
  readonly before: StoredObject | undefined;
}

/** The objects at one revision. */
export interface Snapshot {
  readonly revision: number;
  readonly objects: OrderedMap<StoredObject>;
}

/** A change, for watches that resume; at intervals with the state after it, for paginated lists. */
interface HistoryEntry {
  readonly change: Change;
  readonly objects: OrderedMap<StoredObject> | undefined;
  /** Bytes of the JSON of the object that it keeps; 0 when that was not encoded, as in memory. */
  readonly bytes: number;
}

/** Changes between snapshots: earlier states are computed by undoing changes. */
const snapshotInterval = 64;

/** How many changes the history holds, and how many bytes of objects. */
interface HistoryLimits {
  readonly revisions: number;
  readonly bytes: number;
}

/** As many bytes as 10,000 objects of 6 KB, which most are smaller than; in memory, they take a multiple of it. */
const usualLimits: HistoryLimits = { revisions: 10_000, bytes: 64 * 1024 * 1024 };

/** Changes that become durable together, up to this revision. */
interface PendingAppend {
  readonly appended: Promise<void>;
  readonly resources: Set<string>;
  revision: number;
}

/** The object changed in the meantime: read it again and retry. */
export class WriteConflict extends Error {
  override readonly name = 'WriteRaced';
}

/**
 * The objects of the cluster under one revision counter.
 *
 * Guarantees: each commit takes the next revision; watches see a change only when it is durable, in order of revisions,
 * and once. Reads see a commit immediately, so a response must wait for `durable()` before it is sent.
 *
 * Errors: when a change cannot be persisted, it and all after it are rolled back, and `commit` throws StorageFailed
 * until `recover` resolves.
 */
export class Store {
  readonly #storage: Storage | undefined;
  readonly #limits: HistoryLimits;
  readonly #subscribers = new Map<string, Set<() => void>>();
  #current: Snapshot;
  #published: number;
  #history: History<HistoryEntry>;
  #pending: PendingAppend | undefined;
  #durable: Promise<void> = Promise.resolve();
  readonly #departed = new WeakMap<Change, StoredObject>();
  #closed = false;

  constructor(storage?: Storage, limits = usualLimits) {
    this.#storage = storage;
    this.#limits = limits;
    const { revision, objects } = storage?.recovered ?? { revision: 0, objects: [] };
    const entries = Array.from(objects, (record) => {
      return [record.key, new StoredObject(record.key, record.revision, record.value)] as const;
    });
    this.#current = { revision, objects: OrderedMap.fromSorted(entries) };
    this.#published = revision;
    this.#history = new History(revision);
  }

  /** A copy in memory, with the history; later changes are not shared. */
  fork(): Store {
    const fork = new Store(undefined, this.#limits);
    fork.#current = this.#current;
    fork.#published = this.#current.revision;
    fork.#history = this.#history.fork();
    return fork;
  }

  /** The newest state. */
  get current(): Snapshot {
    return this.#current;
  }

  /** Whether the store is closed, so that watches can end. */
  get closed(): boolean {
    return this.#closed;
  }

  /** The last revision visible to watches. */
  get published(): number {
    return this.#published;
  }

  /** The oldest revision that a watch can resume from. */
  get oldest(): number {
    return this.#history.oldest;
  }

  /** The state at a revision that is still in history, or at the newest compacted one. */
  at(revision: number): Snapshot | undefined {
    if (revision === this.#current.revision) return this.#current;
    if (revision < this.oldest || revision > this.#current.revision) return undefined;
    return { revision, objects: this.#history.at(revision)?.objects ?? this.#before(revision + 1) };
  }

  /** The change of this revision, when it is published and still in history. */
  change(revision: number): Change | undefined {
    return revision > this.#published ? undefined : this.#history.at(revision)?.change;
  }

  /** The object before a change, with the revision of the change: the last that a watch shows whose selection it left. */
  departed(change: Change): StoredObject {
    let departed = this.#departed.get(change);
    if (departed === undefined) {
      const { key, value } = change.before as StoredObject;
      const metadata = { ...value.metadata, resourceVersion: String(change.revision) };
      departed = new StoredObject(key, change.revision, { ...value, metadata });
      this.#departed.set(change, departed);
    }
    return departed;
  }

  /**
   * Replaces `before` with the object, or deletes it when there is no object. The new revision becomes the
   * resourceVersion; a deletion takes a revision too.
   */
  commit(key: string, before: StoredObject | undefined, object: KubeObject | undefined): StoredObject {
    if (this.#storage?.failure !== undefined) throw this.#storage.failure;
    if (this.#current.objects.get(key) !== before) throw new WriteConflict(`${key} changed while it was being written`);
    const content = object ?? before?.value;
    if (content === undefined) throw new WriteConflict(`${key} is already gone`);
    const revision = this.#current.revision + 1;
    const { kind, apiVersion, metadata, ...rest } = content;
    // The kind comes first, so that a list can strip it from the encoded bytes.
    const stored = new StoredObject(key, revision, {
      kind,
      apiVersion,
      metadata: { ...metadata, resourceVersion: String(revision) },
      ...rest,
    });
    const gone = object === undefined;
    // An object that cannot be encoded must not be found by anybody.
    const record = this.#storage === undefined ? undefined : gone ? { revision, key } : recordOf(stored);
    const objects = gone ? this.#current.objects.without(key) : this.#current.objects.with(key, stored);
    const type = gone ? 'DELETED' : before === undefined ? 'ADDED' : 'MODIFIED';
    this.#current = { revision, objects };
    const change: Change = { type, revision, object: stored, before };
    const bytes = stored.size || (before?.size ?? 0);
    this.#history.push({ change, objects: revision % snapshotInterval === 0 ? objects : undefined, bytes });
    this.#limitHistory();
    if (record === undefined) this.#publish(revision, [resourceOf(key)]);
    else this.#persist(record);
    return stored;
  }

  /**
   * Adds objects that exist from the start, each created on first use. They take no revision and cause no watch events,
   * so earlier history is compacted. Only for stores in memory.
   */
  preload(objects: Iterable<readonly [string, (revision: number) => KubeObject]>): void {
    const { revision, objects: before } = this.#current;
    const added = Array.from(objects, ([key, make]) => new StoredObject(key, revision, () => make(revision)));
    const all = [...before.withPrefix(''), ...added].toSorted((a, b) => (a.key < b.key ? -1 : 1));
    this.#current = { revision, objects: OrderedMap.fromSorted(all.map((stored) => [stored.key, stored])) };
    this.compact(revision);
  }

  /** Resolves when everything committed so far is durable; rejects when it was rolled back. */
  durable(): Promise<void> {
    return this.#durable;
  }

  /** Resolves when changes can be persisted; after a failure it tries to recover, and rejects when it cannot. */
  async recover(): Promise<void> {
    await this.#storage?.recover(() => stateOf(this.#current));
  }

  /** Compacts the history up to and including this revision: older watches get 410. */
  compact(revision: number): void {
    // Unpersisted changes may be rolled back.
    this.#history.forget(Math.min(revision, this.#published));
  }

  /** Compacts what exceeds the limits of the history. */
  #limitHistory(): void {
    const { revisions, bytes } = this.#limits;
    this.compact(this.#current.revision - revisions);
    while (this.#history.bytes > bytes && this.oldest < this.#published) this.compact(this.oldest + 1);
  }

  /** Calls back after changes of a resource: the part of the key before the first slash, or empty for all. */
  subscribe(resource: string, callback: () => void): () => void {
    const callbacks = this.#subscribers.get(resource) ?? new Set();
    this.#subscribers.set(resource, callbacks);
    callbacks.add(callback);
    return () => callbacks.delete(callback);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const callbacks of this.#subscribers.values()) for (const callback of callbacks) callback();
    await this.recover().catch(() => {});
    await this.#storage?.close();
  }

  /** The objects before the change that took this revision. */
  #before(revision: number): OrderedMap<StoredObject> {
    const { objects } = this.at(revision) as Snapshot;
    const { object, before } = (this.#history.at(revision) as HistoryEntry).change;
    return before === undefined ? objects.without(object.key) : objects.with(object.key, before);
  }

  #persist(record: StorageRecord): void {
    const { key, revision } = record;
    const appended = (this.#storage as Storage).append(record, () => stateOf(this.#current));
    const pending = this.#pending?.appended === appended ? this.#pending : this.#track(appended);
    pending.revision = revision;
    pending.resources.add(resourceOf(key));
  }

  /** Publishes the changes of this append once it completes. */
  #track(appended: Promise<void>): PendingAppend {
    const pending: PendingAppend = { appended, resources: new Set(), revision: 0 };
    this.#pending = pending;
    this.#durable = appended.then(
      () => this.#publish(pending.revision, pending.resources),
      (error: unknown) => {
        this.#rollBack(pending.resources);
        throw error;
      },
    );
    // Callers of durable() observe a failure; a commit that nobody waits for must not crash the process.
    this.#durable.catch(() => {});
    return pending;
  }

  #publish(revision: number, resources: Iterable<string>): void {
    this.#published = Math.max(this.#published, revision);
    this.#notify(resources);
  }

  /**
   * Rolls back to the last durable state; commits fail by now. The revisions can be assigned again, since no response
   * and no watch has shown them.
   */
  #rollBack(resources: Iterable<string>): void {
    this.#current = this.at(this.#published) as Snapshot;
    this.#history.rewind(this.#published);
    this.#durable = Promise.resolve();
    // Subscribers may cache what they have read.
    this.#notify(resources);
  }

  #notify(resources: Iterable<string>): void {
    for (const resource of resources) notifyInBatches(this.#subscribers.get(resource) ?? []);
    notifyInBatches(this.#subscribers.get('') ?? []);
  }
}

/** The string when available: writing it to the log is cheaper than encoding it first. */
function recordOf(stored: StoredObject): Required<StorageRecord> {
  return { revision: stored.revision, key: stored.key, value: stored.text ?? stored.bytes };
}

function stateOf({ revision, objects }: Snapshot): StorageState {
  return { revision, objects: objects.withPrefix('').map(recordOf) };
}

/** The resource part of a key: `deployments.apps` of `deployments.apps/default/web`. */
export function resourceOf(key: string): string {
  return key.slice(0, key.indexOf('/'));
}

/** Subscribers notified per turn of the event loop: each looks at the change and encodes an event. */
const batchSize = 200;

function notifyInBatches(callbacks: Iterable<() => void>): void {
  let notified = 0;
  const later: (() => void)[] = [];
  for (const callback of callbacks) {
    notified += 1;
    if (notified <= batchSize) callback();
    else later.push(callback);
  }
  if (later.length > 0) setImmediate(() => notifyInBatches(later));
}
