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

/** What of a kind is watched, and what of that is read. */
export interface WatchScope<T extends KubeObject = KubeObject> {
  /** A label selector. Default: whatever the labels. */
  readonly labels?: string | undefined;
  /** Default: where the cache watches. */
  readonly namespace?: string | undefined;
  /** Whether this object is read: of a confidential kind, what nobody reads is held without its content. Default: yes. */
  readonly isRead?: (object: T) => boolean;
}

/**
 * The cluster as the watches told it, ahead of them by what we wrote ourselves. Reads of what is held without its content
 * throw `NotHeld`.
 */
export interface Cache {
  /** Reads what was watched so; by default the whole kind, or the only part of it that is watched there. */
  get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, watched?: WatchScope): T | undefined;
  /** In the order of namespace and name. */
  list<T extends KubeObject>(kind: Kind<T>, selection?: CacheSelection<T>): T[];
  /** The objects that are held without their content: to read one, fetch it and `hold` it. */
  metadataOnly<T extends KubeObject>(kind: Kind<T>, selection?: CacheSelection<T>): ObjectRef[];
  /** Holds the content of this object, which the server just showed, until it changes or nobody reads it any more. */
  cacheContent<T extends KubeObject>(kind: Kind<T>, object: T): void;
  /** The fields this manager of ours applied last, as the server recorded them. */
  applied(kind: Kind, ref: ObjectRef, fieldManager: string): FieldSet | undefined;
  /** Whether an object of this name has gone before our eyes. */
  wasDeleted(kind: Kind, ref: ObjectRef): boolean;
  /** Whether the cluster has the kind. */
  isInstalled(kind: Kind): boolean;
}

/** A cache that several controllers share: one list and watch per kind, label selector and namespace. */
export interface SharedCache extends Cache {
  /** The store of a kind, or of a part of its objects, watched from the start on. */
  open<T extends KubeObject>(kind: Kind<T>, watched?: WatchScope<T>): ObjectStore<T>;
  /** The stores of a kind, each with its own selection. */
  stores<T extends KubeObject>(kind: Kind<T>): readonly ObjectStore<T>[];
  /** Calls the handler when the kind is installed or uninstalled, after its objects have come or gone. */
  onInstalled(kind: Kind, handler: (installed: boolean) => void): void;
  /** Resolves when every kind has been listed, or the signal aborts; watches until it does. */
  start(signal: AbortSignal): Promise<void>;
  /** For how long something has been overdue from the server about the kind that has waited longest. */
  staleness(): Duration;
}

/** What a shared cache needs from outside. */
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
  /** Where it watches; undefined is everywhere. */
  namespace: string | undefined;
  store: ObjectStore;
  /** Who reads which of its objects. */
  readers: ((object: KubeObject) => boolean)[];
  /** When the server last showed that it is there. */
  lastActivity: number;
  /** For how long it may be silent from then on. */
  maxSilence: Duration;
  installed: boolean;
  onInstalled: ((installed: boolean) => void)[];
}

const lastHeard: Gauge<'resource' | 'labels' | 'namespace'> = {
  type: 'gauge',
  name: 'forge_cache_last_heard_timestamp_seconds',
  help: 'When the API server last told something about a resource; staleness is the time since.',
  labels: ['resource', 'labels', 'namespace'],
};

/** An empty cache; name its kinds with `open`, then start it. */
export function sharedCache(options: SharedCacheOptions): SharedCache {
  const { namespace: home, fieldManagers, metrics = noMetrics, ...context } = options;
  const { clock } = context;
  const informers: Informer[] = [];

  function stores<T extends KubeObject>(kind: Kind<T>): ObjectStore<T>[] {
    // A store holds the objects of the kind it was opened for.
    return informersOf(kind).map(({ store }) => store as ObjectStore<T>);
  }

  function informersOf({ group, plural }: Kind): Informer[] {
    return informers.filter(({ kind }) => kind.plural === plural && kind.group === group);
  }

  function informerOf(kind: Kind, { labels, namespace }: Omit<WatchScope, 'isRead'>): Informer | undefined {
    const place = scopedNamespace(kind, namespace);
    return informersOf(kind).find((informer) => informer.labels === labels && informer.namespace === place);
  }

  /** Where a kind is watched; undefined is everywhere. */
  function scopedNamespace({ scope }: Kind, namespace = home): string | undefined {
    return scope === 'Namespaced' ? namespace : undefined;
  }

  /** The store that has all objects of the kind, there or anywhere, or else the only one that has some. */
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
        onActivity: (silence: Duration) => Object.assign(informer, { lastActivity: clock.now(), maxSilence: silence }),
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
        lastActivity: clock.now(),
        maxSilence: now,
        installed: true,
        onInstalled: [],
      };
      informers.push(informer);
      const named = { resource: resourceLabel(kind), labels: labels ?? '', namespace: namespace ?? '' };
      metrics.sample(lastHeard, named, () => informer.lastActivity / 1000);
      return store;
    },

    async start(signal) {
      const { first = [], second = [] } = Object.groupBy(informers, ({ kind }) =>
        kind.confidential === true ? 'second' : 'first',
      );
      await Promise.all(first.map((informer) => startInformer(informer, signal)));
      // Which of them are read is known from what names them.
      await Promise.all(second.map((informer) => startInformer(informer, signal)));
    },

    staleness() {
      const time = clock.now();
      // A clock that was set back must not hide for hours that nothing is heard.
      for (const informer of informers) informer.lastActivity = Math.min(informer.lastActivity, time);
      return milliseconds(
        Math.max(0, ...informers.map(({ lastActivity, maxSilence }) => time - lastActivity - maxSilence)),
      );
    },
  };
}

/** Whether somebody reads the object; who cannot tell may. */
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
