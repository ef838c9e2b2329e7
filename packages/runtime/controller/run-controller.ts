// SPDX-License-Identifier: Apache-2.0
import { groupOf, refOf, type KubeObject, type ObjectRef } from '@forge/kube/objects/object.ts';
import type { SharedCache } from '../cache/cache.ts';
import type { ReadStore } from '../cache/namespace-stores.ts';
import { byUid, valuesOf, type Index } from '../cache/object-index.ts';
import type { Backoff } from '../environment/backoff.ts';
import type { Duration } from '../environment/duration.ts';
import { statesOf, type Change } from '../objects/change.ts';
import { keyOf } from '../objects/object-key.ts';
import { controllerOf, ownerAnnotation } from '../objects/owner-reference.ts';
import { queueMetrics } from '../queue/queue-metrics.ts';
import { queue } from '../queue/queue.ts';
import { rateLimit } from '../queue/rate-limit.ts';
import { watch, type Controller, type ReconcileContext, type Watch } from './controller.ts';
import { controllerWorkers, rateLimitDelay } from './workers.ts';

/** A controller whose watches fill its queue. */
export interface RunningController {
  /** Starts the workers. */
  start(): void;
  /** Takes no new work; resolves when the running reconciliations have ended. */
  drain(): Promise<void>;
}

/** Connects a controller to the cache; its workers do not run before they are started. */
export function runController(
  controller: Controller,
  context: ReconcileContext & { cache: SharedCache },
  { resync, backoff }: { resync: Duration; backoff: Backoff | undefined },
): RunningController {
  const { cache, clock, random, log, metrics } = context;
  const keys = queue({ clock, random, backoff, meter: queueMetrics(metrics, controller.name) });
  const isRateLimited = rateLimit(clock);
  const workers = controllerWorkers(controller, context, { keys, isRateLimited });
  const resources = cache.open(controller.for, controller.scope);
  const watchesOfStore = new Map<ReadStore, Watch[]>();
  let cancelResync: (() => void) | undefined;

  const isSynced = ({ namespace }: ObjectRef) => cache.isSynced(namespace);

  // Until the workers run, events are the initial list; from then on they are changes somebody just made.
  function enqueue(refs: readonly ObjectRef[]): void {
    const urgency = workers.isRunning() ? 'urgent' : 'routine';
    // Old and new state mostly map to the same keys, which must not be reconciled twice.
    for (const key of new Set(refs.filter(isSynced).map(keyOf))) {
      if (isRateLimited(key)) keys.addAfter(key, rateLimitDelay);
      else keys.add(key, urgency);
    }
  }

  function ownersOf(object: KubeObject): ObjectRef[] {
    const { group, kind, scope } = controller.for;
    const mark = object.metadata.annotations?.[ownerAnnotation];
    const marked = mark === undefined ? [] : resources.list({ where: { index: byUid, value: mark } });
    const owner = controllerOf(object);
    // The version may differ: the object is the same in each version.
    if (owner?.kind !== kind || groupOf(owner.apiVersion) !== group) return marked.map(refOf);
    return [{ namespace: scope === 'Namespaced' ? object.metadata.namespace : undefined, name: owner.name }];
  }

  /** Whether the object belongs to one of ours, even to one that is not in the cache yet. */
  function isOwned(object: KubeObject): boolean {
    return object.metadata.annotations?.[ownerAnnotation] !== undefined || ownersOf(object).length > 0;
  }

  function affectedBy(watched: Watch, change: Change): readonly ObjectRef[] {
    try {
      // Metadata alone cannot be passed to the predicate.
      return change.partial === true || watched.predicate(change)
        ? statesOf(change).flatMap((object) => watched.map(object, { cache }))
        : [];
    } catch (error) {
      log.error('cannot map a change to the objects to reconcile', { kind: watched.kind.kind, error });
      return [];
    }
  }

  /** Enqueues what a change of the store concerns, once for all watches of the store. */
  function observeStore(store: ReadStore, watched: Watch): void {
    const known = watchesOfStore.get(store) ?? [];
    known.push(watched);
    if (known.length > 1) return;
    watchesOfStore.set(store, known);
    store.onChange((change) => enqueue(known.flatMap((each) => affectedBy(each, change))));
  }

  /** Watches a kind; its installation and removal enqueue every object. */
  function addWatch(watched: Watch, isRead?: (object: KubeObject) => boolean): void {
    const store = cache.open(watched.kind, {
      ...watched,
      ...(isRead !== undefined && { isRead }),
      // Another namespace must not stop those where the controller works.
      ...(watched.namespace !== undefined && { optional: true }),
    });
    observeStore(store, watched);
    const { lookup } = watched;
    if (lookup !== undefined) resources.onChange((change) => dropUnreadContent(store, lookup, change));
    cache.onInstalled(watched.kind, () => enqueue(resources.list().map(refOf)));
  }

  observeStore(
    resources,
    watch(controller.for, (object) => [refOf(object)], {
      predicate: (change) => controller.predicate?.(change) !== false,
    }),
  );
  for (const owned of controller.owns ?? []) {
    if (!('predicate' in owned)) addWatch(watch(owned, ownersOf));
    else addWatch(watch(owned.kind, ownersOf, owned), owned.ownedOnly === true ? isOwned : undefined);
  }
  for (const watched of controller.watches ?? []) {
    const isFound = (object: KubeObject) => watched.map(object, { cache }).length > 0;
    addWatch(watched, watched.lookup && isFound);
  }

  cache.onSynced((namespace) => enqueue(resources.list({ namespace }).map(refOf)));

  function resyncLater(): void {
    if (resync === 0) return;
    cancelResync = clock.after(resync, () => {
      for (const ref of resources.list().map(refOf).filter(isSynced)) keys.add(keyOf(ref), 'routine');
      resyncLater();
    });
  }

  return {
    start() {
      resyncLater();
      workers.start();
      for (const ref of controller.always ?? []) keys.add(keyOf(ref), 'routine');
    },

    async drain() {
      cancelResync?.();
      keys.close();
      await workers.ended();
    },
  };
}

/** Drops the content of what an object of ours no longer reads. */
function dropUnreadContent(store: ReadStore, lookup: NonNullable<Watch['lookup']>, change: Change): void {
  const { before, after } = change;
  const { index } = lookup;
  const wanted: Index = { valuesOf: (resource) => lookup.wanted(resource) };
  const stillWanted = new Set(after === undefined ? [] : valuesOf(wanted, after));
  for (const value of before === undefined ? [] : valuesOf(wanted, before)) {
    if (!stillWanted.has(value)) store.dropContent({ index, value });
  }
}
