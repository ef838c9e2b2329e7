// SPDX-License-Identifier: Apache-2.0
import type { ObjectRef } from '@forge/kube/objects/object.ts';
import { seconds, type Duration } from '../environment/duration.ts';
import { refFromKey } from '../objects/object-key.ts';
import type { Queue } from '../queue/queue.ts';
import { isExpected, ReconcileError, retryAfter } from '../queue/reconcile-error.ts';
import { controllerMetrics } from './controller-metrics.ts';
import type { Controller, ReconcileContext } from './controller.ts';

const defaultWorkers = 4;
/** The delay of a key that is enqueued too often. */
export const rateLimitDelay = seconds(1);

/** The workers of a controller. */
interface Workers {
  start(): void;
  isRunning(): boolean;
  /** Resolves when the queue is closed and the running reconciliations have ended. */
  ended(): Promise<void>;
}

/**
 * Workers that take keys from the queue and reconcile them. A reconciliation that throws is retried with backoff; one that
 * returns a Duration is repeated after it; otherwise the key waits for a watch or the resync.
 */
export function controllerWorkers(
  controller: Controller,
  context: ReconcileContext,
  { keys, isRateLimited }: { keys: Queue; isRateLimited: (key: string) => boolean },
): Workers {
  const { clock, log, tracing } = context;
  const { name, workers = defaultWorkers } = controller;
  const measure = controllerMetrics(context, name, workers);
  const running: Promise<void>[] = [];

  /** Requeues a key; immediate rechecks are rate-limited, or they would starve other keys. */
  function requeueAfter(key: string, recheck: Duration): void {
    keys.addAfter(key, recheck <= 0 && isRateLimited(key) ? rateLimitDelay : recheck);
  }

  function traced(ref: ObjectRef, pass: () => Promise<Duration | undefined>): Promise<Duration | undefined> {
    if (tracing === undefined) return measure(pass);
    const facts = { controller: name, kind: controller.for.kind, namespace: ref.namespace ?? '', name: ref.name };
    return tracing.span('reconcile', facts, () => measure(pass));
  }

  async function reconcile(key: string): Promise<void> {
    const ref = refFromKey(key);
    const objectLog = log.with({ ...ref });
    try {
      const recheck = await traced(ref, () => controller.reconcile(ref, { ...context, log: objectLog }));
      keys.forget(key);
      if (recheck !== undefined) requeueAfter(key, recheck);
    } catch (error) {
      const level = isExpected(error) ? 'info' : 'error';
      objectLog[level]('reconciliation failed; retrying', { error });
      keys.retry(key, retryAfter(error));
      if (error instanceof ReconcileError && error.recheck !== undefined) requeueAfter(key, error.recheck);
    } finally {
      keys.done(key);
    }
  }

  async function work(): Promise<void> {
    for (let key = await keys.next(); key !== undefined; key = await keys.next()) {
      await reconcile(key);
      await clock.yieldToEventLoop?.();
    }
  }

  return {
    start() {
      for (let count = 0; count < workers; count += 1) running.push(work());
    },
    isRunning: () => running.length > 0,
    async ended() {
      await Promise.all(running);
    },
  };
}
