// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject, ObjectRef } from '@forge/kube/objects/object.ts';
import type { FieldSet } from '@forge/kube/patch/field-set.ts';
import type { Clock } from '../environment/clock.ts';
import { milliseconds, type Duration } from '../environment/duration.ts';
import type { Random } from '../environment/random.ts';
import type { Logger } from '../observability/logger.ts';
import { noMetrics, type Gauge, type Metrics } from '../observability/metrics.ts';
import { informer, startFeed, type Informer } from './informer.ts';
import type { ReadStore } from './namespace-stores.ts';
import type { CacheSelection } from './object-store.ts';

/** Which objects of a kind are watched, and which of those are read. */
export interface WatchScope<T extends KubeObject = KubeObject> {
  /** A label selector. Default: all objects. */
  readonly labels?: string | undefined;
  /** Default: the namespaces of the cache. */
  readonly namespace?: string | undefined;
  /** Whether the object is read: unread objects of a confidential kind are cached as metadata only. Default: yes. */
  readonly isRead?: (object: T) => boolean;
  /** Whether the start goes on while the server refuses access. Default: when it is one of several namespaces. */
  readonly optional?: boolean;
}

/**
 * The cluster as the watches show it, ahead of them by our own writes. Each read is from one watch scope: by default from the
 * whole kind, or from the only scope that is watched. Reading an object that is cached as metadata only throws
 * `ContentNotCached`.
 */
export interface Cache {
  get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, watched?: WatchScope): T | undefined;
  /** Sorted by namespace and name. */
  list<T extends KubeObject>(kind: Kind<T>, selection?: CacheSelection<T>, watched?: WatchScope): T[];
  /** The objects that are cached as metadata only: to read one, fetch it and pass it to `cacheContent`. */
  metadataOnly<T extends KubeObject>(kind: Kind<T>, selection?: CacheSelection<T>, watched?: WatchScope): ObjectRef[];
  /** Caches the content of an object just fetched, until it changes or is no longer read. */
  cacheContent<T extends KubeObject>(kind: Kind<T>, object: T): void;
  /** The fields that this manager of ours applied last, as the server recorded them. */
  applied(kind: Kind, ref: ObjectRef, fieldManager: string, watched?: WatchScope): FieldSet | undefined;
  /** Whether a watch has reported that an object of this name was deleted, or that it left the watch scope. */
  wasDeleted(kind: Kind, ref: ObjectRef, watched?: WatchScope): boolean;
  /** Whether the kind is installed. */
  isInstalled(kind: Kind): boolean;
}

/** A cache that several controllers share: one list and watch per kind, label selector and namespace. */
export interface SharedCache extends Cache {
  /** The store of a kind or of a watch scope, filled once the cache has started. */
  open<T extends KubeObject>(kind: Kind<T>, watched?: WatchScope<T>): ReadStore<T>;
  /** The stores of a kind, one for each watch scope. */
  stores<T extends KubeObject>(kind: Kind<T>): readonly ReadStore<T>[];
  /** Calls the handler when the kind is installed or uninstalled, after its objects were added or removed. */
  onInstalled(kind: Kind, handler: (installed: boolean) => void): void;
  /** Whether everything that is watched in this namespace has been listed; always true unless several namespaces are watched. */
  isSynced(namespace: string | undefined): boolean;
  /** Calls the handler when one of several namespaces is synced. */
  onSynced(handler: (namespace: string) => void): void;
  /**
   * Resolves when every kind has been listed, or the signal aborts; watches until it does. It does not wait for optional
   * watch scopes, nor for those of several namespaces, to which the server refuses access.
   */
  start(signal: AbortSignal): Promise<void>;
  /** How long the most overdue kind has been without the event or bookmark that was expected. */
  staleness(): Duration;
}

/** The dependencies of a shared cache. */
export interface SharedCacheOptions {
  client: Client;
  clock: Clock;
  random: Random;
  log: Logger;
  metrics?: Metrics;
  /** The namespaces to watch. Default: all. */
  namespaces?: readonly string[] | undefined;
  fieldManagers: ReadonlySet<string>;
}

const lastHeard: Gauge<'resource' | 'labels' | 'namespace'> = {
  type: 'gauge',
  name: 'forge_cache_last_heard_timestamp_seconds',
  help: 'When the API server last sent an event or bookmark for a resource; staleness is the time since.',
  labels: ['resource', 'labels', 'namespace'],
};

/** An empty cache; open its kinds, then start it. */
export function sharedCache(options: SharedCacheOptions): SharedCache {
  const { namespaces: home, fieldManagers, metrics = noMetrics, ...context } = options;
  const { clock } = context;
  const informers: Informer[] = [];
  const syncHandlers: ((namespace: string) => void)[] = [];

  function stores<T extends KubeObject>(kind: Kind<T>): ReadStore<T>[] {
    // A store contains only objects of the kind it was opened for.
    return informersOf(kind).map(({ store }) => store as ReadStore<T>);
  }

  function informersOf({ group, plural }: Kind): Informer[] {
    return informers.filter(({ kind }) => kind.plural === plural && kind.group === group);
  }

  function informerOf(
    kind: Kind,
    { labels, namespace }: Pick<WatchScope, 'labels' | 'namespace'>,
  ): Informer | undefined {
    const places = scopedNamespaces(kind, namespace);
    return informersOf(kind).find((each) => each.labels === labels && isSameScope(each.namespaces, places));
  }

  /** The namespaces in which a kind is watched; undefined for all. */
  function scopedNamespaces({ scope }: Kind, namespace: string | undefined): readonly string[] | undefined {
    if (scope !== 'Namespaced') return undefined;
    return namespace === undefined ? home : [namespace];
  }

  /** The store of the watch scope; without one, that with all objects of the kind in the namespace, or else its only store. */
  function storeOf<T extends KubeObject>(
    kind: Kind<T>,
    namespace: string | undefined,
    watched?: WatchScope,
  ): ReadStore<T> {
    const scoped = watched && informerOf(kind, watched);
    if (scoped !== undefined) return scoped.store as ReadStore<T>;
    const all = informersOf(kind);
    const there = all.filter((each) => namespace === undefined || each.namespaces?.includes(namespace) !== false);
    const candidates = there.length === 0 ? all : there;
    const main = informerOf(kind, {});
    const whole = candidates.find((each) => each === main) ?? candidates.find(({ labels }) => labels === undefined);
    const [first, second] = whole === undefined ? candidates : [whole];
    if (first === undefined) {
      throw new Error(`${kind.kind} is read but not watched: name it in the controller's owns, watches or reads`);
    }
    if (second !== undefined) {
      throw new Error(`${kind.kind} is watched by several label selectors: watch it without one to read it`);
    }
    return first.store as ReadStore<T>;
  }

  function isSynced(namespace: string | undefined): boolean {
    // The start waits for a namespace that is watched alone.
    if (namespace === undefined || home === undefined || home.length === 1 || !home.includes(namespace)) return true;
    return informers.every(({ feeds }) => feeds.every((feed) => feed.namespace !== namespace || feed.listed));
  }

  async function start(started: readonly Informer[], signal: AbortSignal): Promise<void> {
    const feeds = started.flatMap((each) =>
      each.feeds.map((feed) => {
        const onListed = () => {
          const { namespace } = feed;
          if (namespace === undefined || !isSynced(namespace)) return;
          for (const handler of syncHandlers) handler(namespace);
        };
        return startFeed(feed, each, { ...context, onListed, signal });
      }),
    );
    await Promise.all(feeds);
  }

  return {
    get: (kind, ref, watched) => storeOf(kind, ref.namespace, watched).get(ref),
    list: (kind, selection, watched) => storeOf(kind, selection?.namespace, watched).list(selection),
    metadataOnly: (kind, selection, watched) => storeOf(kind, selection?.namespace, watched).metadataOnly(selection),
    cacheContent(kind, object) {
      for (const store of stores(kind)) store.cacheContent(object);
    },
    applied: (kind, ref, fieldManager, watched) => storeOf(kind, ref.namespace, watched).applied(ref, fieldManager),
    wasDeleted: (kind, ref, watched) => storeOf(kind, ref.namespace, watched).wasDeleted(ref),
    isInstalled: (kind) => informersOf(kind).every(({ feeds }) => feeds.every(({ installed }) => installed)),
    stores,

    onInstalled(kind, handler) {
      for (const { onInstalled } of informersOf(kind).slice(0, 1)) onInstalled.push(handler);
    },

    isSynced,
    onSynced(handler) {
      syncHandlers.push(handler);
    },

    open<T extends KubeObject>(kind: Kind<T>, watched: WatchScope<T> = {}): ReadStore<T> {
      const { labels, isRead = () => true } = watched;
      const existing = informerOf(kind, watched);
      const opened =
        existing ??
        informer(
          { kind, labels, namespaces: scopedNamespaces(kind, watched.namespace) },
          { fieldManagers, time: clock.monotonic() },
        );
      opened.readers.push(isRead as (object: KubeObject) => boolean);
      opened.optional &&= watched.optional ?? opened.feeds.length > 1;
      if (existing === undefined) {
        informers.push(opened);
        for (const feed of opened.feeds) {
          const named = { resource: resourceLabel(kind), labels: labels ?? '', namespace: feed.namespace ?? '' };
          metrics.sample(lastHeard, named, () => (clock.now() - (clock.monotonic() - feed.lastActivity)) / 1000);
        }
      }
      return opened.store as ReadStore<T>;
    },

    async start(signal) {
      const { first = [], second = [] } = Object.groupBy(informers, ({ kind }) =>
        kind.confidential === true ? 'second' : 'first',
      );
      await start(first, signal);
      // Which Secrets are read follows from the resources, so those are listed first.
      await start(second, signal);
    },

    staleness() {
      const time = clock.monotonic();
      const feeds = informers.flatMap((each) => each.feeds);
      return milliseconds(
        Math.max(0, ...feeds.map(({ lastActivity, maxSilence }) => time - lastActivity - maxSilence)),
      );
    },
  };
}

function isSameScope(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  return one === other || (one !== undefined && other !== undefined && one.join(',') === other.join(','));
}

function resourceLabel({ group, plural }: Kind): string {
  return group === '' ? plural : `${plural}.${group}`;
}
