import { backoffDelay, type Backoff } from '../environment/backoff.ts';
// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '../environment/clock.ts';
import { milliseconds, seconds, type Duration } from '../environment/duration.ts';
import type { Random } from '../environment/random.ts';
import { noMetrics } from '../observability/metrics.ts';
import { queueMetrics, type QueueMetrics } from './queue-metrics.ts';

/** A change somebody may be waiting for, or a periodic resync. */
type Urgency = 'urgent' | 'routine';

/**
 * The work queue: keys waiting for a worker.
 *
 * Guarantees: a key waits at most once; one worker at a time holds it; a key added while held is returned again after
 * `done`; urgent keys come before routine ones, and a key added as both is urgent; of several delayed adds the earliest
 * counts, and taking the key cancels them all.
 *
 * Assumptions: a worker that takes a key calls `done`, and adds it again for whatever should still happen later.
 *
 * Caveats: while urgent keys arrive faster than they are processed, routine ones wait.
 */
export interface Queue {
  add(key: string, urgency?: Urgency): void;
  addAfter(key: string, delay: Duration): void;
  /** Adds the key after its backoff, which grows with every call, or later. */
  retry(key: string, atLeast?: Duration): void;
  /** Resets the key's backoff. */
  forget(key: string): void;
  /** The next key, as soon as there is one; undefined when the queue is closed. */
  next(): Promise<string | undefined>;
  done(key: string): void;
  close(): void;
}

const defaultBackoff: Backoff = { base: milliseconds(5), cap: seconds(1000) };

/** An empty queue. Failures wait 5 ms at first, at most 1000 s. */
export function queue({
  clock,
  random,
  backoff = defaultBackoff,
  meter = queueMetrics(noMetrics, ''),
}: {
  clock: Clock;
  random: Random;
  backoff?: Backoff | undefined;
  meter?: QueueMetrics;
}): Queue {
  // When each key began to wait or was taken.
  const waiting = { urgent: new Map<string, number>(), routine: new Map<string, number>() };
  const held = new Map<string, number>();
  const delayed = new Map<string, { at: number; cancel: () => void }>();
  const failures = new Map<string, number>();
  const idle: ((key: string | undefined) => void)[] = [];
  let closed = false;
  meter.sampleHeld(() => [...held.values()].map((since) => clock.monotonic() - since));

  const waitingSince = (key: string) => waiting.urgent.get(key) ?? waiting.routine.get(key);
  const reportDepth = () => meter.depth(waiting.urgent.size, waiting.routine.size);

  function take(key: string): string {
    const since = waitingSince(key) ?? clock.monotonic();
    waiting.urgent.delete(key);
    waiting.routine.delete(key);
    held.set(key, clock.monotonic());
    cancelDelayed(key);
    meter.taken(clock.monotonic() - since);
    reportDepth();
    return key;
  }

  function dispatch(key: string): void {
    if (!held.has(key)) idle.shift()?.(take(key));
  }

  function cancelDelayed(key: string): void {
    delayed.get(key)?.cancel();
    delayed.delete(key);
  }

  function add(key: string, urgency: Urgency = 'urgent'): void {
    if (closed) return;
    const since = waitingSince(key);
    if (since === undefined) meter.added();
    if (urgency === 'urgent') waiting.routine.delete(key);
    if (urgency === 'urgent' || since === undefined) waiting[urgency].set(key, since ?? clock.monotonic());
    reportDepth();
    dispatch(key);
  }

  function addAfter(key: string, delay: Duration): void {
    if (delay <= 0) return add(key);
    const at = clock.monotonic() + delay;
    if (closed || (delayed.get(key)?.at ?? Infinity) <= at) return;
    cancelDelayed(key);
    const cancel = clock.after(delay, () => {
      delayed.delete(key);
      add(key);
    });
    delayed.set(key, { at, cancel });
  }

  return {
    add,
    addAfter,

    retry(key, atLeast) {
      const count = (failures.get(key) ?? 0) + 1;
      failures.set(key, count);
      meter.retried();
      addAfter(key, backoffDelay(backoff, count, random, atLeast));
    },

    forget(key) {
      failures.delete(key);
    },

    next() {
      if (closed) return Promise.resolve(undefined);
      for (const keys of [waiting.urgent, waiting.routine]) {
        for (const key of keys.keys()) if (!held.has(key)) return Promise.resolve(take(key));
      }
      return new Promise((resolve) => idle.push(resolve));
    },

    done(key) {
      const since = held.get(key);
      held.delete(key);
      if (since !== undefined) meter.done(clock.monotonic() - since);
      if (waitingSince(key) !== undefined) dispatch(key);
    },

    close() {
      closed = true;
      for (const { cancel } of delayed.values()) cancel();
      for (const resolve of idle.splice(0)) resolve(undefined);
    },
  };
}
