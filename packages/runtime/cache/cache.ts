// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject, ObjectRef } from '@forge/kube/objects/object.ts';
import type { FieldSet } from '@forge/kube/patch/field-set.ts';
import { parseLabelSelector } from '@forge/kube/selectors/parse-label-selector.ts';
import { matchesLabels } from '@forge/kube/selectors/selector.ts';
import type { Logger } from '../logging/logger.ts';
import { noMetrics, type Gauge, type Metrics } from '../metrics/metrics.ts';
import type { Random } from '../random/random.ts';
import type { Clock } from '../time/clock.ts';
import { milliseconds, now, type Duration } from '../time/duration.ts';
import { listAndWatch } from './list-and-watch.ts';
import { objectStore, type CacheSelection, type ObjectStore } from './object-store.ts';

/** Which objects of a kind are watched, and which of those are read. */
export interface WatchScope<T extends KubeObject = KubeObject> {
  /** A label selector. Default: all objects. */
  readonly labels?: string | undefined;
  /** Default: the namespace of the cache. */
  readonly namespace?: string | undefined;
  /** Whether the object is read: unread objects of a confidential kind are cached as metadata only. Default: yes. */
  readonly isRead?: (object: T) => boolean;
}

/**
 * The cluster as the watches show it, ahead of them by our own writes. Reading an object that is cached as metadata only
 * throws `ContentNotCached`.
 */
export interface Cache {
  /** Reads from this watch scope; by default from the whole kind, or from the only scope that is watched. */
  get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, watched?: WatchScope): T | undefined;
  /** Sorted by namespace and name. */
  list<T extends KubeObject>(kind: Kind<T>, selection?: CacheSelection<T>): T[];
  /** The objects that are cached as metadata only: to read one, fetch it and pass it to `cacheContent`. */
  metadataOnly<T extends KubeObject>(kind: Kind<T>, selection?: CacheSelection<T>): ObjectRef[];
  /** Caches the content of an object just fetched, until it changes or is no longer read. */
  cacheContent<T extends KubeObject>(kind: Kind<T>, object: T): void;
  /** The fields that this manager of ours applied last, as the server recorded them. */
  applied(kind: Kind, ref: ObjectRef, fieldManager: string): FieldSet | undefined;
  /** Whether a watch has reported that an object of this name was deleted. */
  wasDeleted(kind: Kind, ref: ObjectRef): boolean;
  /** Whether the kind is installed. */
  isInstalled(kind: Kind): boolean;
}

/** A cache that several controllers share: one list and watch per kind, label selector and namespace. */
export interface SharedCache extends Cache {
  /** The store of a kind or of a watch scope, filled once the cache has started. */
  open<T extends KubeObject>(kind: Kind<T>, watched?: WatchScope<T>): ObjectStore<T>;
  /** The stores of a kind, one for each watch scope. */
  stores<T extends KubeObject>(kind: Kind<T>): readonly ObjectStore<T>[];
  /** Calls the handler when the kind is installed or uninstalled, after its objects were added or removed. */
  onInstalled(kind: Kind, handler: (installed: boolean) => void): void;
  /** Resolves when every kind has been listed, or the signal aborts; watches until it does. */
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
  namespace?: string | undefined;
  fieldManagers: ReadonlySet<string>;
}

interface Informer {
  kind: Kind;
  labels: string | undefined;
  /** The watched namespace; undefined for all. */
  namespace: string | undefined;
  store: ObjectStore;
  /** One predicate for each reader: the objects it reads. */
  readers: ((object: KubeObject) => boolean)[];
  /** When the server last sent anything, by the monotonic clock. */
  lastActivity: number;
  /** How long it may be silent from then on. */
  maxSilence: Duration;
  installed: boolean;
  onInstalled: ((installed: boolean) => void)[];
}

const lastHeard: Gauge<'resource' | 'labels' | 'namespace'> = {
  type: 'gauge',
  name: 'forge_cache_last_heard_timestamp_seconds',
  help: 'When the API server last sent an event or bookmark for a resource; staleness is the time since.',
  labels: ['resource', 'labels', 'namespace'],
};

/** An empty cache; open its kinds, then start it. */
export function sharedCache(options: SharedCacheOptions): SharedCache {
  const { namespace: home, fieldManagers, metrics = noMetrics, ...context } = options;
  const { clock } = context;
  const informers: Informer[] = [];

  function stores<T extends KubeObject>(kind: Kind<T>): ObjectStore<T>[] {
    // A store contains only objects of the kind it was opened for.
    return informersOf(kind).map(({ store }) => store as ObjectStore<T>);
  }

  function informersOf({ group, plural }: Kind): Informer[] {
    return informers.filter(({ kind }) => kind.plural === plural && kind.group === group);
  }

  function informerOf(kind: Kind, { labels, namespace }: Omit<WatchScope, 'isRead'>): Informer | undefined {
    const place = scopedNamespace(kind, namespace);
    return informersOf(kind).find((informer) => informer.labels === labels && informer.namespace === place);
  }

  /** The namespace in which a kind is watched; undefined for all. */
  function scopedNamespace({ scope }: Kind, namespace = home): string | undefined {
    return scope === 'Namespaced' ? namespace : undefined;
  }

  /** The store with all objects of the kind in the namespace, or else the only store of the kind. */
  function storeOf<T extends KubeObject>(kind: Kind<T>, namespace?: string): ObjectStore<T> {
    const all = informersOf(kind);
    const there = all.filter((informer) => namespace === undefined || covers(informer, namespace));
    const candidates = there.length === 0 ? all : there;
    const whole = candidates.find(({ labels }) => labels === undefined);
    const [first, second] = whole === undefined ? candidates : [whole];
    if (first === undefined) {
      throw new Error(`${kind.kind} is read but not watched: name it in the controller's owns, watches or reads`);
    }
    if (second !== undefined) {
      throw new Error(`${kind.kind} is watched by several label selectors: watch it without one to read it`);
    }
    return first.store as ObjectStore<T>;
  }

  /** Watches until the signal aborts; resolves when the kind has been listed. */
  function startInformer(informer: Informer, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const { kind, labels, namespace, store } = informer;
      const selection = { kind, namespace, labelSelector: labels, store };
      const callbacks = {
        onListed(installed: boolean) {
          resolve();
          if (informer.installed === installed) return;
          informer.installed = installed;
          for (const handler of informer.onInstalled) handler(installed);
        },
        onActivity: (silence: Duration) =>
          Object.assign(informer, { lastActivity: clock.monotonic(), maxSilence: silence }),
      };
      void listAndWatch({ ...context, ...selection, ...callbacks, signal }).then(resolve);
    });
  }

  return {
    get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, watched?: WatchScope): T | undefined {
      const store = watched && (informerOf(kind, watched)?.store as ObjectStore<T> | undefined);
      return (store ?? storeOf(kind, ref.namespace)).get(ref);
    },
    list: (kind, selection) => storeOf(kind, selection?.namespace).list(selection),
    metadataOnly: (kind, selection) => storeOf(kind, selection?.namespace).metadataOnly(selection),
    cacheContent(kind, object) {
      for (const store of stores(kind)) store.cacheContent(object);
    },
    applied: (kind, ref, fieldManager) => storeOf(kind, ref.namespace).applied(ref, fieldManager),
    wasDeleted: (kind, ref) => storeOf(kind, ref.namespace).wasDeleted(ref),
    isInstalled: (kind) => informersOf(kind).every(({ installed }) => installed),
    stores,

    onInstalled(kind, handler) {
      for (const { onInstalled } of informersOf(kind).slice(0, 1)) onInstalled.push(handler);
    },

    open<T extends KubeObject>(kind: Kind<T>, watched: WatchScope<T> = {}): ObjectStore<T> {
      const { labels, isRead = () => true } = watched;
      const existing = informerOf(kind, watched);
      existing?.readers.push(isRead as (object: KubeObject) => boolean);
      if (existing !== undefined) return existing.store as ObjectStore<T>;
      const namespace = scopedNamespace(kind, watched.namespace);
      const requirements = parseLabelSelector(labels ?? '');
      const readers = [isRead];
      const store = objectStore<T>(fieldManagers, {
        ...(kind.confidential === true && { isRead: (object) => readers.some((reads) => mayRead(reads, object)) }),
        selects: ({ metadata }) =>
          (namespace === undefined || metadata.namespace === namespace) && matchesLabels(requirements, metadata.labels),
      });
      const informer: Informer = {
        kind,
        labels,
        namespace,
        store,
        readers: readers as Informer['readers'],
        lastActivity: clock.monotonic(),
        maxSilence: now,
        installed: true,
        onInstalled: [],
      };
      informers.push(informer);
      const named = { resource: resourceLabel(kind), labels: labels ?? '', namespace: namespace ?? '' };
      metrics.sample(lastHeard, named, () => (clock.now() - (clock.monotonic() - informer.lastActivity)) / 1000);
      return store;
    },

    async start(signal) {
      const { first = [], second = [] } = Object.groupBy(informers, ({ kind }) =>
        kind.confidential === true ? 'second' : 'first',
      );
      await Promise.all(first.map((informer) => startInformer(informer, signal)));
      // Which Secrets are read follows from the resources, so those are listed first.
      await Promise.all(second.map((informer) => startInformer(informer, signal)));
    },

    staleness() {
      const time = clock.monotonic();
      return milliseconds(
        Math.max(0, ...informers.map(({ lastActivity, maxSilence }) => time - lastActivity - maxSilence)),
      );
    },
  };
}

/** Whether the reader may read the object; one that throws may. */
function mayRead<T extends KubeObject>(reads: (object: T) => boolean, object: T): boolean {
  try {
    return reads(object);
  } catch {
    return true;
  }
}

function covers(informer: Informer, namespace: string): boolean {
  return informer.namespace === undefined || informer.namespace === namespace;
}

function resourceLabel({ group, plural }: Kind): string {
  return group === '' ? plural : `${plural}.${group}`;
}
