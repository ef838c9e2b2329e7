// SPDX-License-Identifier: Apache-2.0
import { milliseconds, seconds, type Duration } from '@forge/runtime/environment/duration.ts';
import type { Delay } from '../faults/fault-plan.ts';
import type { Actor } from './scheduler.ts';
import type { SimulationContext } from './simulation-context.ts';

/** One run of a process, from its start to its crash. */
export interface ProcessRun extends Actor {
  /** The name of the process. */
  readonly process: string;
  /** Aborts when it ends. */
  readonly ended: AbortSignal;
  /** The revision from which events of a collection are delayed, by the collection's path. */
  readonly held: Readonly<Record<Delay, Map<string, number>>>;
  /** The newest revision that this run has seen; everything before its start counts as seen. */
  knownRevision: number;
  /** The number of open watches. */
  watches: number;
  /** How many more external calls will fail. */
  outage: number;
  /** How far its clock is ahead of the cluster's. */
  skew: number;
  /** How long it takes until its process restarts. */
  readonly restartDelay: Duration;
  /** When its Lease expires; undefined when it has never requested one. */
  leaseUntil: number | undefined;
  /** Waits for its turn; forever when this run has ended. */
  turn(what: string, options?: { signal?: AbortSignal | undefined; held?: () => boolean }): Promise<void>;
  /** Freezes for this long. */
  freeze(span: number): void;
  /** Ends immediately: its timers do not fire, and responses do not arrive; the next run starts after `away` milliseconds. */
  end(away?: number): void;
}

const shortRestart = seconds(1);

/** Starts a run. */
export function processRun(
  process: string,
  name: string,
  { scheduler, clock, server, markActivity }: SimulationContext,
): ProcessRun {
  const ending = new AbortController();
  let frozen = 0;
  let restartDelay = shortRestart;

  const self: ProcessRun = {
    process,
    name,
    ended: ending.signal,
    held: { lag: new Map(), hold: new Map() },
    knownRevision: server.store.current.revision,
    watches: 0,
    outage: 0,
    skew: 0,
    leaseUntil: undefined,

    get restartDelay() {
      return restartDelay;
    },

    get stopped() {
      return frozen > 0 || ending.signal.aborted;
    },

    turn: (what, options = {}) => (ending.signal.aborted ? never() : scheduler.turn({ actor: self, what, ...options })),

    freeze(span) {
      frozen += 1;
      markActivity(scheduler.now() + span);
      clock.after(span, () => (frozen -= 1));
    },

    end(away = shortRestart) {
      restartDelay = milliseconds(away);
      ending.abort();
      scheduler.forget(self);
    },
  };
  return self;
}

/** A promise that never settles. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
