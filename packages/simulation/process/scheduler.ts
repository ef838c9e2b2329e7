// SPDX-License-Identifier: Apache-2.0
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import type { Random } from '@forge/runtime/environment/random.ts';

/** A participant that waits for turns and timers; while stopped, it gets none. */
export interface Actor {
  readonly name: string;
  readonly stopped: boolean;
  /** Whether its timers that are due at one time happen in one step, in the order in which they were set. */
  readonly together?: boolean;
}

/** A step that waits for its turn. */
interface Turn {
  actor: Actor;
  /** The description for the trace. */
  what: string;
  /** Whether it must wait longer. */
  held?: () => boolean;
  /** Aborts the wait. */
  signal?: AbortSignal | undefined;
}

/**
 * Picks the next step at random.
 *
 * Guarantees: one step runs at a time, and everything it triggers immediately is done before the next; of the steps
 * that can run now, any may be first; time advances only when none can run now. The same random sequence gives the same
 * run. The timers of the API server are one step: at each minute, there is one for each watch.
 */
export interface Scheduler {
  now: () => number;
  /** Resolves when it is this step's turn. */
  turn: (turn: Turn) => Promise<void>;
  /** A clock for this actor. */
  clockOf: (actor: Actor) => Clock;
  /** Waits for real asynchronous work, such as reading a file: no step runs meanwhile. */
  external: <T>(promise: Promise<T>) => Promise<T>;
  /** Removes everything that the actor waits for. */
  forget: (actor: Actor) => void;
  /** Runs one step, no later than `end`; false when there is none. */
  step: (end: number) => Promise<boolean>;
  /** The number of waiting steps and timers. */
  readonly waiting: number;
}

/** A waiting step or timer. */
interface Pending {
  actor: Actor;
  at: number;
  what: string;
  held: (() => boolean) | undefined;
  happen: () => void;
}

/** A scheduler that starts at this time and reports each step. */
export function scheduler(start: number, random: Random, happened: (what: string) => void): Scheduler {
  const pending = new Set<Pending>();
  const outside = new Set<Promise<unknown>>();
  let time = start;

  function clockOf(actor: Actor): Clock {
    return {
      now: () => time,
      monotonic: () => time,
      after(delay, callback) {
        const at = time + Math.max(0, delay);
        const timer = { actor, at, what: `${actor.name} timer`, held: undefined, happen: callback };
        pending.add(timer);
        return () => pending.delete(timer);
      },
    };
  }

  /** Waits until all work is done that needs neither a turn nor a timer. */
  async function quiet(): Promise<void> {
    await setImmediate();
    while (outside.size > 0) {
      await Promise.race(outside);
      await setImmediate();
    }
  }

  /** The candidates for the next step: all that can run at the earliest time. */
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

  /** Runs what is due of this actor, except what it adds by that. */
  function happenWith(actor: Actor): void {
    for (const entry of [...pending].filter((each) => each.actor === actor && each.at <= time)) {
      if (pending.delete(entry)) entry.happen();
    }
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
      if (next.actor.together === true) happenWith(next.actor);
      return true;
    },

    get waiting() {
      return pending.size;
    },
  };
}
