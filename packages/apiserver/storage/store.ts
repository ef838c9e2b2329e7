// SPDX-License-Identifier: Apache-2.0
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { History } from './history.ts';
import { OrderedMap } from './ordered-map.ts';
import type { Storage, StorageRecord, StorageState } from './storage.ts';
import { StoredObject } from './stored-object.ts';

/** One change: what the object is now (for a deletion: what it was last), and what it was before. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly object: StoredObject;
  readonly before: StoredObject | undefined;
}

/** Many objects as they were at one revision. */
export interface Snapshot {
  readonly revision: number;
  readonly objects: OrderedMap<StoredObject>;
}

/** A change kept for watches that resume, and now and then the state after it, for lists that go on. */
interface HistoryEntry {
  readonly change: Change;
  readonly objects: OrderedMap<StoredObject> | undefined;
}

/** A state is kept after every so many changes: from it, those before it can be had by taking changes back. */
const snapshotInterval = 64;

/** Changes that become safe from a crash together, up to this revision. */
interface PendingAppend {
  readonly appended: Promise<void>;
  readonly resources: Set<string>;
  revision: number;
}

/** Somebody wrote in between: read again and try again. */
export class WriteConflict extends Error {
  override readonly name = 'WriteRaced';
}

/**
 * The objects of the cluster under one revision counter.
 *
 * Guarantees: each commit takes the next revision; a change is seen by watches only when it would survive a crash, in
 * order of revisions, and once. Reads see a commit at once, so an answer must wait for `durable()` before it leaves.
 *
 * Errors: when a change cannot be kept, it and all after it are taken back, and `commit` throws StorageFailed until `recover`
 * resolves.
 */
export class Store {
  readonly #storage: Storage | undefined;
  readonly #historySize: number;
  readonly #subscribers = new Map<string, Set<() => void>>();
  #current: Snapshot;
  #published: number;
  #history: History<HistoryEntry>;
  #pending: PendingAppend | undefined;
  #durable: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(storage?: Storage, historySize = 10_000) {
    this.#storage = storage;
    this.#historySize = historySize;
    const { revision, objects } = storage?.recovered ?? { revision: 0, objects: [] };
    const entries = Array.from(objects, (record) => {
      return [record.key, new StoredObject(record.key, record.revision, record.value)] as const;
    });
    this.#current = { revision, objects: OrderedMap.fromSorted(entries) };
    this.#published = revision;
    this.#history = new History(revision);
  }

  /** A store in memory that begins with what this one holds, its history too; from then on each goes its own way. */
  fork(): Store {
    const fork = new Store(undefined, this.#historySize);
    fork.#current = this.#current;
    fork.#published = this.#current.revision;
    fork.#history = this.#history.fork();
    return fork;
  }

  /** The newest state. */
  get current(): Snapshot {
    return this.#current;
  }

  /** Whether nothing will ever change again, so that watches can end. */
  get closed(): boolean {
    return this.#closed;
  }

  /** The last revision watches have been told of. */
  get published(): number {
    return this.#published;
  }

  /** The oldest revision a watch can resume from. */
  get oldest(): number {
    return this.#history.oldest;
  }

  /** The state at a revision still in history, or at the last one that is not. */
  at(revision: number): Snapshot | undefined {
    if (revision === this.#current.revision) return this.#current;
    if (revision < this.oldest || revision > this.#current.revision) return undefined;
    return { revision, objects: this.#history.at(revision)?.objects ?? this.#before(revision + 1) };
  }

  /** The change that took this revision, when it is published and still in history. */
  change(revision: number): Change | undefined {
    return revision > this.#published ? undefined : this.#history.at(revision)?.change;
  }

  /**
   * Puts the object in the place of `before`, or deletes it when there is none to put. The object gets its revision as
   * resourceVersion; a deletion takes a revision too.
   */
  commit(key: string, before: StoredObject | undefined, object: KubeObject | undefined): StoredObject {
    if (this.#storage?.failure !== undefined) throw this.#storage.failure;
    if (this.#current.objects.get(key) !== before) throw new WriteConflict(`${key} changed while it was being written`);
    const content = object ?? before?.value;
    if (content === undefined) throw new WriteConflict(`${key} is already gone`);
    const revision = this.#current.revision + 1;
    const { kind, apiVersion, metadata, ...rest } = content;
    // The kind comes first, so that a list can cut it off the encoded bytes.
    const stored = new StoredObject(key, revision, {
      kind,
      apiVersion,
      metadata: { ...metadata, resourceVersion: String(revision) },
      ...rest,
    });
    const gone = object === undefined;
    const objects = gone ? this.#current.objects.without(key) : this.#current.objects.with(key, stored);
    const type = gone ? 'DELETED' : before === undefined ? 'ADDED' : 'MODIFIED';
    this.#current = { revision, objects };
    const change: Change = { type, revision, object: stored, before };
    this.#history.push({ change, objects: revision % snapshotInterval === 0 ? objects : undefined });
    this.compact(revision - this.#historySize);
    this.#persist(stored, gone);
    return stored;
  }

  /**
   * Puts in what has been there from the beginning, each object made when it is first looked at. It takes no revision of
   * its own and nobody is told, so that what was before is forgotten. Not for a store that survives the process.
   */
  preload(objects: Iterable<readonly [string, (revision: number) => KubeObject]>): void {
    const { revision, objects: before } = this.#current;
    const added = Array.from(objects, ([key, make]) => new StoredObject(key, revision, () => make(revision)));
    const all = [...before.withPrefix(''), ...added].toSorted((a, b) => (a.key < b.key ? -1 : 1));
    this.#current = { revision, objects: OrderedMap.fromSorted(all.map((stored) => [stored.key, stored])) };
    this.compact(revision);
  }

  /** Resolves when everything committed so far would survive a crash; rejects when it was taken back. */
  durable(): Promise<void> {
    return this.#durable;
  }

  /** Resolves when changes can be kept; after a failure, tries to make that so and rejects when it cannot. */
  async recover(): Promise<void> {
    await this.#storage?.recover(() => stateOf(this.#current));
  }

  /** Forgets the history up to and including this revision: watches from before it are answered 410. */
  compact(revision: number): void {
    // What is not kept yet may be taken back.
    this.#history.forget(Math.min(revision, this.#published));
  }

  /** Calls back after changes to keys that begin with `resource`, which is the key up to its first slash, or empty. */
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

  #persist(stored: StoredObject, gone: boolean): void {
    const { key, revision } = stored;
    if (this.#storage === undefined) return this.#publish(revision, [resourceOf(key)]);
    const record = gone ? { revision, key } : recordOf(stored);
    const appended = this.#storage.append(record, () => stateOf(this.#current));
    const pending = this.#pending?.appended === appended ? this.#pending : this.#track(appended);
    pending.revision = revision;
    pending.resources.add(resourceOf(key));
  }

  /** Publishes all that is kept by this append once it is. */
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
    // Whoever waits for durable() observes a failure; a commit nobody waits for must not end the process.
    this.#durable.catch(() => {});
    return pending;
  }

  #publish(revision: number, resources: Iterable<string>): void {
    this.#published = Math.max(this.#published, revision);
    this.#notify(resources);
  }

  /**
   * Makes what is kept the newest state again; commits are refused by now. The revisions taken back can be given out again,
   * since no answer and no watch has told them.
   */
  #rollBack(resources: Iterable<string>): void {
    this.#current = this.at(this.#published) as Snapshot;
    this.#history.rewind(this.#published);
    this.#durable = Promise.resolve();
    // Some keep at hand what they have read of the newest state.
    this.#notify(resources);
  }

  #notify(resources: Iterable<string>): void {
    for (const resource of resources) for (const callback of this.#subscribers.get(resource) ?? []) callback();
    for (const callback of this.#subscribers.get('') ?? []) callback();
  }
}

/** Text where there is some: to write it to the log is cheaper than to make bytes of it first. */
function recordOf(stored: StoredObject): Required<StorageRecord> {
  return { revision: stored.revision, key: stored.key, value: stored.text ?? stored.bytes };
}

function stateOf({ revision, objects }: Snapshot): StorageState {
  return { revision, objects: objects.withPrefix('').map(recordOf) };
}

/** The part of a key that names the resource: `deployments.apps/default/web` is of `deployments.apps`. */
export function resourceOf(key: string): string {
  return key.slice(0, key.indexOf('/'));
}
