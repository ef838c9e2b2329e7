// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject, ObjectRef } from '@forge/kube/objects/object.ts';
import type { Cache, WatchScope } from '../cache/cache.ts';
import type { Index } from '../cache/object-index.ts';
import type { CatalogObserver } from '../conditions/condition-catalog.ts';
import type { Clock } from '../environment/clock.ts';
import type { Duration } from '../environment/duration.ts';
import type { Random } from '../environment/random.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import type { Change } from '../objects/change.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';

/** What a reconciliation reads and writes with. */
export interface ReconcileContext {
  /** Its writes are recorded in the cache. */
  client: Client;
  cache: Cache;
  clock: Clock;
  random: Random;
  log: Logger;
  /** Aborts when the process shuts down and can no longer wait. */
  signal: AbortSignal;
  event: EventRecorder;
  metrics: Metrics;
  /** Records spans of passes and steps. Default: none. */
  tracing?: Tracing;
  /** Is notified of every condition written. */
  observer?: CatalogObserver;
}

/** The access that a controller needs to a kind, in terms of RBAC. */
export interface Access {
  readonly kind: Kind;
  /** `status` or `finalizers`; without one the objects themselves. */
  readonly subresource?: string;
  readonly verbs: readonly string[];
  /** Default: wherever the controller watches. */
  readonly namespace?: string | undefined;
  /** The only object it covers; not for the verbs create, list and watch. Default: any. */
  readonly name?: string;
}

/** Reconciles objects of one kind; a manager runs it. */
export interface Controller {
  /** Its name in logs and as the source of Events: `replicaset-controller`. */
  readonly name: string;
  readonly for: Kind;
  /** Which of them it watches. Default: those in the manager's namespaces. */
  readonly scope?: Pick<WatchScope, 'labels' | 'namespace'>;
  /** Reconciled from the start, whether they exist or not. Default: none. */
  readonly always?: readonly ObjectRef[];
  /** Which changes of its own objects enqueue them. Default: all. */
  readonly predicate?: (change: Change) => boolean;
  /** Changes of objects of these kinds enqueue their owner. */
  readonly owns?: readonly (Kind | OwnedWatch)[];
  readonly watches?: readonly Watch[];
  /** How many objects are reconciled concurrently; never the same object twice. Default 4. */
  readonly workers?: number;
  /** The field managers whose applied fields the cache remembers, so that `apply` can remove dropped fields. */
  readonly fieldManagers?: readonly string[];
  /** The access it needs besides watching; RBAC rules are generated from it. Default: none. */
  readonly access?: readonly Access[];
  /** Retried with exponential backoff when it throws; a returned Duration requests a recheck. */
  reconcile(ref: ObjectRef, context: ReconcileContext): Promise<Duration | undefined>;
}

/** A kind of owned objects. */
interface OwnedWatch extends Pick<WatchScope, 'labels'> {
  readonly kind: Kind;
  /** Whether only the content of objects that are owned by one of ours is needed. Default: of all. */
  readonly ownedOnly?: boolean;
  /** Whether a change enqueues the owner. */
  predicate(change: Change): boolean;
}

/** Maps changes of another kind's objects to the objects to reconcile. */
export interface Watch<T extends KubeObject = KubeObject> extends Pick<WatchScope, 'labels' | 'namespace'> {
  readonly kind: Kind<T>;
  map(object: T, context: { cache: Cache }): readonly ObjectRef[];
  predicate(change: Change<T>): boolean;
  /** Which objects the controller's objects read; only their content is needed. Default: the content of all. */
  readonly lookup?: Lookup<T>;
}

/** How objects of another kind are found: by index values that the controller's object looks for. */
interface Lookup<T extends KubeObject> {
  readonly index: Index<T>;
  wanted(resource: KubeObject): readonly string[];
}

/** Enqueues the objects that `map` returns for an object of this kind that is created, updated (old and new) or deleted. */
export function watch<T extends KubeObject>(
  kind: Kind<T>,
  map: Watch<T>['map'],
  {
    predicate = () => true,
    ...options
  }: Omit<Watch<T>, 'kind' | 'map' | 'predicate'> & Partial<Pick<Watch<T>, 'predicate'>> = {},
): Watch {
  return { kind, map, predicate, ...options };
}
