// SPDX-License-Identifier: Apache-2.0
import type { Delay } from '../faults/fault-plan.ts';
import type { Actor } from '../scheduler/scheduler.ts';
import type { SimulationContext } from './simulation-context.ts';

/** One life of a process, from its start to its crash. */
export interface ProcessRun extends Actor {
  /** The process this is a life of. */
  readonly process: string;
  /** Aborts when it ends. */
  readonly ended: AbortSignal;
  /** From which change on the events of a collection are delayed, by the collection's path. */
  readonly held: Readonly<Record<Delay, Map<string, number>>>;
  /** The newest revision this life has been told of; what was before its birth is known, too. */
  knownRevision: number;
  /** How many watches it has open. */
  watches: number;
  /** How many calls to the outside are still going to fail. */
  outage: number;
  /** Until when it may write; undefined when it has never asked for a Lease. */
  leaseUntil: number | undefined;
  /** Waits for its turn; forever, when this life is over. */
  turn(what: string, options?: { signal?: AbortSignal | undefined; held?: () => boolean }): Promise<void>;
  /** Stands still for so long. */
  freeze(span: number): void;
  /** Ends at once: no timer of it fires, no answer reaches it. */
  end(): void;
}

/** Begins a life. */
export function processRun(
  process: string,
  name: string,
  { scheduler, clock, server, markActivity }: SimulationContext,
): ProcessRun {
  const ending = new AbortController();
  let frozen = 0;

  const self: ProcessRun = {
    process,
    name,
    ended: ending.signal,
    held: { lag: new Map(), hold: new Map() },
    knownRevision: server.store.current.revision,
    watches: 0,
    outage: 0,
    leaseUntil: undefined,

    get stopped() {
      return frozen > 0 || ending.signal.aborted;
    },

    turn: (what, options = {}) => (ending.signal.aborted ? never() : scheduler.turn({ actor: self, what, ...options })),

    freeze(span) {
      frozen += 1;
      markActivity(scheduler.now() + span);
      clock.after(span, () => (frozen -= 1));
    },

    end() {
      ending.abort();
      scheduler.forget(self);
    },
  };
  return self;
}

/** What nobody is there to hear. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
