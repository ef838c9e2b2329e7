// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client.ts';
import { sharedCache } from './cache.ts';
import { cachingClient } from './caching-client.ts';
import type { Clock } from './clock.ts';
import type { Controller } from './controller.ts';
import { minutes, seconds, type Duration } from './duration.ts';
import { eventRecorder } from './event-recorder.ts';
import type { Logger } from './logger.ts';
import type { Random } from './random.ts';
import { runController, type RunningController } from './run-controller.ts';

/** What a manager needs from outside. */
export interface ManagerOptions {
  client: Client;
  clock: Clock;
  random: Random;
  log: Logger;
  /** Watches this namespace only. Default: all. */
  namespace?: string;
  /** Every object is reconciled at least this often. Default 10 minutes. */
  resync?: Duration;
}

/** Runs controllers on one shared cache. */
export interface Manager {
  add(controller: Controller): void;
  /** Resolves when the caches are filled and the workers run. */
  start(): Promise<void>;
  /** Takes no new work and resolves when the running reconciliations have ended, or were cut off after 10 seconds. */
  stop(): Promise<void>;
}

const patience = seconds(10);

/** A manager without controllers. */
export function manager({ client, clock, random, log, namespace, resync = minutes(10) }: ManagerOptions): Manager {
  const fieldManagers = new Set<string>();
  const cache = sharedCache({ client, clock, random, log, namespace, fieldManagers });
  const tellingClient = cachingClient(client, cache);
  const watching = new AbortController();
  const working = new AbortController();
  const running: RunningController[] = [];

  return {
    add(controller) {
      if (controller.fieldManager !== undefined) fieldManagers.add(controller.fieldManager);
      const { name: component } = controller;
      const context = {
        client: tellingClient,
        cache,
        clock,
        random,
        log: log.with({ controller: component }),
        signal: working.signal,
        event: eventRecorder({ client, clock, random, log, component }),
      };
      running.push(runController(controller, context, resync));
    },

    async start() {
      await cache.start(watching.signal);
      if (watching.signal.aborted) return;
      for (const controller of running) controller.start();
    },

    async stop() {
      const cancel = clock.after(patience, () => working.abort());
      await Promise.all(running.map((controller) => controller.drain()));
      cancel();
      watching.abort();
    },
  };
}
