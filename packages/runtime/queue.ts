// SPDX-License-Identifier: Apache-2.0
import { backoffDelay, type Backoff } from './backoff.ts';
import type { Clock } from './clock.ts';
import { milliseconds, seconds, type Duration } from './duration.ts';
import type { Random } from './random.ts';

/**
 * Keys that wait for a worker.
 *
 * Guarantees: a key waits at most once; one worker at a time holds it; a key added while held comes again after `done`;
 * of several wishes for later the earliest stands, and being taken fulfils them all.
 *
 * Assumptions: whoever takes a key calls `done`, and asks anew for what should still happen later.
 */
export interface Queue {
  add(key: string): void;
  addAfter(key: string, delay: Duration): void;
  /** Adds the key after its backoff, which grows with every call. */
  retry(key: string): void;
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
}: {
  clock: Clock;
  random: Random;
  backoff?: Backoff;
}): Queue {
  const waiting = new Set<string>();
  const held = new Set<string>();
  const later = new Map<string, { at: number; cancel: () => void }>();
  const failures = new Map<string, number>();
  const idle: ((key: string | undefined) => void)[] = [];
  let closed = false;

  function take(key: string): string {
    waiting.delete(key);
    held.add(key);
    dropLater(key);
    return key;
  }

  function dropLater(key: string): void {
    later.get(key)?.cancel();
    later.delete(key);
  }

  function add(key: string): void {
    if (closed) return;
    waiting.add(key);
    if (!held.has(key)) idle.shift()?.(take(key));
  }

  function addAfter(key: string, delay: Duration): void {
    if (delay <= 0) return add(key);
    const at = clock.now() + delay;
    if (closed || (later.get(key)?.at ?? Infinity) <= at) return;
    dropLater(key);
    const cancel = clock.after(delay, () => {
      later.delete(key);
      add(key);
    });
    later.set(key, { at, cancel });
  }

  return {
    add,
    addAfter,

    retry(key) {
      const count = (failures.get(key) ?? 0) + 1;
      failures.set(key, count);
      addAfter(key, backoffDelay(backoff, count, random));
    },

    forget(key) {
      failures.delete(key);
    },

    next() {
      if (closed) return Promise.resolve(undefined);
      for (const key of waiting) if (!held.has(key)) return Promise.resolve(take(key));
      return new Promise((resolve) => idle.push(resolve));
    },

    done(key) {
      held.delete(key);
      if (waiting.has(key)) add(key);
    },

    close() {
      closed = true;
      for (const { cancel } of later.values()) cancel();
      for (const resolve of idle.splice(0)) resolve(undefined);
    },
  };
}
