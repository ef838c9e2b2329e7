// SPDX-License-Identifier: Apache-2.0
import { setImmediate } from 'node:timers/promises';
import type { Random } from '@forge/runtime/random/random.ts';
import type { Clock } from '@forge/runtime/time/clock.ts';

/** Who waits for a turn or a timer: while it is stopped, it gets none. */
export interface Actor {
  readonly name: string;
  readonly stopped: boolean;
}

/** What waits for its turn. */
interface Turn {
  actor: Actor;
  /** What happens then, for the trace. */
  what: string;
  /** Whether it may not happen yet. */
  held?: () => boolean;
  /** Gives up waiting. */
  signal?: AbortSignal | undefined;
}

/**
 * Decides by chance what happens next.
 *
 * Guarantees: one thing happens at a time, and all that follows from it at once is over before the next; of what could
 * happen now, each may come first; time moves only when nothing can happen now. With the same chance, all is repeated.
 */
export interface Scheduler {
  now: () => number;
  /** Resolves when it is this one's turn. */
  turn: (turn: Turn) => Promise<void>;
  /** The time as this actor sees it. */
  clockOf: (actor: Actor) => Clock;
  /** Waits for what really happens outside of the run, such as reading a file: nothing else happens meanwhile. */
  external: <T>(promise: Promise<T>) => Promise<T>;
  /** Forgets all that the actor waits for. */
  forget: (actor: Actor) => void;
  /** Lets one thing happen, in its time but not after this one; false when there is none. */
  step: (end: number) => Promise<boolean>;
  /** How much waits for its turn or its time. */
  readonly waiting: number;
}

/** One thing that can happen. */
interface Pending {
  actor: Actor;
  at: number;
  what: string;
  held: (() => boolean) | undefined;
  happen: () => void;
}

/** A scheduler that begins at this time and tells what happens. */
export function scheduler(start: number, random: Random, happened: (what: string) => void): Scheduler {
  const pending = new Set<Pending>();
  const outside = new Set<Promise<unknown>>();
  let time = start;

  function clockOf(actor: Actor): Clock {
    return {
      now: () => time,
      after(delay, callback) {
        const at = time + Math.max(0, delay);
        const timer = { actor, at, what: `${actor.name} timer`, held: undefined, happen: callback };
        pending.add(timer);
        return () => pending.delete(timer);
      },
    };
  }

  /** By its end, everything has been followed up that waits for neither a turn nor a timer. */
  async function quiet(): Promise<void> {
    await setImmediate();
    while (outside.size > 0) {
      await Promise.race(outside);
      await setImmediate();
    }
  }

  /** What can happen first; several when they can happen at the same time. */
  function possible(): Pending[] {
    let first: Pending[] = [];
    let at = Infinity;
    for (const candidate of pending) {
      const candidateAt = Math.max(time, candidate.at);
      if (candidateAt > at || candidate.actor.stopped || candidate.held?.() === true) continue;
      if (candidateAt < at) first = [];
      at = candidateAt;
      first.push(candidate);
    }
    return first;
  }

  return {
    now: () => time,
    clockOf,

    turn: ({ actor, what, held, signal }) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const leave = (): void => {
          pending.delete(entry);
          reject(signal?.reason as Error);
        };
        const happen = (): void => {
          signal?.removeEventListener('abort', leave);
          resolve();
        };
        const entry: Pending = { actor, at: time, what: `${actor.name} ${what}`, held, happen };
        signal?.addEventListener('abort', leave, { once: true });
        pending.add(entry);
      }),

    async external(promise) {
      const settled = promise.then(
        () => undefined,
        () => undefined,
      );
      outside.add(settled);
      await settled;
      outside.delete(settled);
      return await promise;
    },

    forget(actor) {
      for (const entry of pending) if (entry.actor === actor) pending.delete(entry);
    },

    async step(end) {
      await quiet();
      const choices = possible();
      const next = choices[Math.floor(random.number() * choices.length)];
      if (next === undefined || next.at > end) {
        if (time < end && end !== Infinity) time = end;
        return false;
      }
      pending.delete(next);
      time = Math.max(time, next.at);
      happened(`${time - start} ${next.what}`);
      next.happen();
      return true;
    },

    get waiting() {
      return pending.size;
    },
  };
}
