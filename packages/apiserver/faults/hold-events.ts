// SPDX-License-Identifier: Apache-2.0
import type { Payload } from '../request/payload.ts';
import { brokenConnection } from './break-connection.ts';
import type { Fault } from './fault-injector.ts';

/** Holds back the events of the watches it is put in the way of, until a test lets them go. */
export interface HeldEvents {
  readonly fault: Fault;
  /** How many watches have an event waiting; each has at most one, the next. */
  readonly waiting: number;
  /** Lets so many events pass, in the order in which they came to wait, those yet to come included. */
  release(count?: number): void;
  /** Lets all pass, now and later. */
  open(): void;
  /** Breaks the watches that wait, before their next event; watches begun later are held again. */
  break(): void;
}

/** Events held back from now on. */
export function holdEvents(): HeldEvents {
  const gates = new Set<PromiseWithResolvers<void>>();
  let passes = 0;

  function releaseEvents(): void {
    for (const gate of gates) {
      if (passes === 0) return;
      passes -= 1;
      gates.delete(gate);
      gate.resolve();
    }
  }

  async function* held(events: AsyncIterable<Payload>, signal: AbortSignal | undefined): AsyncGenerator<Payload> {
    for await (const event of events) {
      const gate = Promise.withResolvers<void>();
      const release = (): void => {
        gates.delete(gate);
        gate.resolve();
      };
      signal?.addEventListener('abort', release, { once: true });
      gates.add(gate);
      releaseEvents();
      await gate.promise;
      signal?.removeEventListener('abort', release);
      if (signal?.aborted === true) return;
      yield event;
    }
  }

  return {
    fault: async (request, next) => {
      const response = await next(request);
      return 'events' in response ? { ...response, events: held(response.events, request.signal) } : response;
    },
    get waiting() {
      return gates.size;
    },
    release(count = 1) {
      passes += count;
      releaseEvents();
    },
    open() {
      passes = Infinity;
      releaseEvents();
    },
    break() {
      for (const gate of gates) gate.reject(brokenConnection());
      gates.clear();
    },
  };
}
