// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import type { KubeObject, ObjectRef } from '@forge/kube/objects/object.ts';
import type { Cache, WatchScope } from '../cache/cache.ts';
import type { Index } from '../cache/object-index.ts';
import type { ContractObserver } from '../contract/contract.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import type { Logger } from '../logging/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Change } from '../objects/change.ts';
import type { Random } from '../random/random.ts';
import type { Clock } from '../time/clock.ts';
import type { Duration } from '../time/duration.ts';
import type { Tracing } from '../tracing/tracing.ts';

/** What a reconciliation works with. */
export interface ReconcileContext {
  /** Writes pass through the cache, which then answers with them. */
  client: Client;
  cache: Cache;
  clock: Clock;
  random: Random;
  log: Logger;
  /** Aborts when the process cannot wait for us any longer. */
  signal: AbortSignal;
  event: EventRecorder;
  metrics: Metrics;
  /** Where passes and steps can be followed; nobody follows them without it. */
  tracing?: Tracing;
  /** Is told what conditions say. */
  observer?: ContractObserver;
}

/** What a controller asks of the API about a kind, in the words of RBAC. */
export interface Access {
  readonly kind: Kind;
  /** `status` or `finalizers`; without one the objects themselves. */
  readonly subresource?: string;
  readonly verbs: readonly string[];
  /** Default: wherever the controller works. */
  readonly namespace?: string | undefined;
  /** The only object it is about; what creates, lists or watches names none. Default: any. */
  readonly name?: string;
}

/** Brings objects of one kind to what they ask for; a manager runs it. */
export interface Controller {
  /** Names it in logs and as the source of its Events: `replicaset-controller`. */
  readonly name: string;
  readonly for: Kind;
  /** Which changes of its own objects wake them. Default: all. */
  readonly predicate?: (change: Change) => boolean;
  /** Changes of these kinds wake the object that they belong to. */
  readonly owns?: readonly (Kind | OwnedWatch)[];
  readonly watches?: readonly Watch[];
  /** How many objects are reconciled at a time; one object never twice at a time. Default 4. */
  readonly workers?: number;
  /** The cache remembers which fields these managers applied, for `apply` to know what it dropped. */
  readonly fieldManagers?: readonly string[];
  /** What it does besides watching; RBAC rules are made from it. Default: nothing. */
  readonly access?: readonly Access[];
  /** Called until it does not throw, with exponential backoff; a Duration asks for a recheck. */
  reconcile(ref: ObjectRef, context: ReconcileContext): Promise<Duration | undefined>;
}

/** A kind whose objects belong to others. */
interface OwnedWatch {
  readonly kind: Kind;
  /** The controller can do without the content of what does not belong to its objects. Default: it cannot. */
  readonly ownedOnly?: boolean;
  /** Whether a change is worth a look at the owner. */
  predicate(change: Change): boolean;
}

/** Whom a change of another kind's object concerns. */
export interface Watch<T extends KubeObject = KubeObject> extends Omit<WatchScope, 'isRead'> {
  readonly kind: Kind<T>;
  map(object: T, context: { cache: Cache }): readonly ObjectRef[];
  predicate(change: Change<T>): boolean;
  /** Where the controller's objects look for what they read; it can do without the content of others. Default: it cannot. */
  readonly lookup?: Lookup<T>;
}

/** How objects of another kind are found: the controller's object and the other meet at the values of an index. */
interface Lookup<T extends KubeObject> {
  readonly index: Index<T>;
  wanted(resource: KubeObject): readonly string[];
}

/** Wakes the objects that `map` names when an object of this kind comes, changes (old and new are mapped) or goes. */
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
