// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';
import { sharedCache, type SharedCache } from '../cache/cache.ts';
import { cachingClient } from '../cache/caching-client.ts';
import type { CatalogObserver } from '../conditions/condition-catalog.ts';
import { leaderElection, type ElectionOptions } from '../election/leader-election.ts';
import { leadingClient } from '../election/leading-client.ts';
import type { Backoff } from '../environment/backoff.ts';
import type { Clock } from '../environment/clock.ts';
import { minutes, now, seconds, type Duration } from '../environment/duration.ts';
import type { Random } from '../environment/random.ts';
import { eventRecorder, type EventNote } from '../events/event-recorder.ts';
import type { Logger } from '../observability/logger.ts';
import { noMetrics, type Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';
import type { Controller } from './controller.ts';
import { runController, type RunningController } from './run-controller.ts';

/** The options of a manager. */
export interface ManagerOptions {
  client: Client;
  clock: Clock;
  random: Random;
  log: Logger;
  /** Watches these namespaces only. Default: all. */
  namespaces?: readonly string[];
  /** Every object is reconciled at least this often; 0 for never. Default 10 minutes. */
  resync?: Duration;
  /** Backoff after a failed reconciliation. Default: from 5 milliseconds to 1000 seconds. */
  backoff?: Backoff;
  /** Leader election; `onLost` is called when leadership is lost, and should end the process. Default: none. */
  election?: ElectionOptions & { onLost: () => void };
  /** Default: none are recorded. */
  metrics?: Metrics;
  /** Records spans of passes and steps. Default: none. */
  tracing?: Tracing;
  /** Is notified of every condition and Event, for tests. */
  observer?: CatalogObserver;
}

/** Runs controllers on one shared cache. */
export interface Manager {
  /** The objects that its controllers watch. */
  readonly cache: SharedCache;
  add(controller: Controller): void;
  /** Resolves when the caches are synced, the election is won and the workers run; or when it is stopped before. */
  start(): Promise<void>;
  /** Resolves when the running reconciliations have ended; they are aborted after 10 seconds, abandoned after 15. */
  stop(): Promise<void>;
  /** Whether the caches are synced. */
  ready(): boolean;
  /** Whether the watches still deliver: when they do not, the process should be restarted. */
  healthy(): boolean;
}

const drainTimeout = seconds(10);
/** How long a reconciliation may take to notice that it was aborted. */
const abortGracePeriod = seconds(5);
const maxStaleness = minutes(5);

/** A manager without controllers. */
export function manager(options: ManagerOptions): Manager {
  const { clock, random, log, metrics = noMetrics, observer, tracing, resync = minutes(10) } = options;
  const fieldManagers = new Set<string>();
  const cache = sharedCache({ ...options, fieldManagers });
  const election = options.election && leaderElection(options, options.election);
  const client = election === undefined ? options.client : leadingClient(options.client, election);
  const writingClient = cachingClient(client, cache);
  const watching = new AbortController();
  const working = new AbortController();
  const running: RunningController[] = [];
  let synced = false;

  /** Takes no new work, aborts reconciliations that take too long, and abandons those that ignore that. */
  async function drain(): Promise<void> {
    const abandoned = Promise.withResolvers<void>();
    let cancel = clock.after(working.signal.aborted ? now : drainTimeout, () => {
      working.abort();
      cancel = clock.after(abortGracePeriod, () => {
        log.error('reconcile ignored cancellation; abandoning it');
        abandoned.resolve();
      });
    });
    await Promise.race([Promise.all(running.map((controller) => controller.drain())), abandoned.promise]);
    cancel();
  }

  async function onLeadershipLost(): Promise<void> {
    if (watching.signal.aborted) return;
    working.abort();
    await drain();
    options.election?.onLost();
  }

  return {
    cache,

    add(controller) {
      for (const fieldManager of controller.fieldManagers ?? []) fieldManagers.add(fieldManager);
      const { name: component } = controller;
      const record = eventRecorder({ client, clock, random, log, component, signal: working.signal });
      const context = {
        client: writingClient,
        cache,
        clock,
        random,
        log: log.with({ controller: component }),
        signal: working.signal,
        metrics,
        ...(observer !== undefined && { observer }),
        ...(tracing !== undefined && { tracing }),
        async event(object: KubeObject, note: EventNote) {
          observer?.event(note);
          await record(object, note);
        },
      };
      running.push(runController(controller, context, { resync, backoff: options.backoff }));
    },

    async start() {
      await cache.start(watching.signal);
      synced = true;
      await election?.win(watching.signal).catch(() => undefined);
      if (watching.signal.aborted) return;
      election?.lost.addEventListener('abort', () => void onLeadershipLost());
      for (const controller of running) controller.start();
    },

    async stop() {
      await drain();
      watching.abort();
      await election?.resign();
    },

    ready: () => synced,
    healthy: () => cache.staleness() < maxStaleness,
  };
}
