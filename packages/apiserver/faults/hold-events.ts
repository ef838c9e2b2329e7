// SPDX-License-Identifier: Apache-2.0
import type { Payload } from '../messages/payload.ts';
import { brokenConnection } from './break-connection.ts';
import type { Fault } from './fault-injector.ts';

/** Holds watch events until a test releases them. */
export interface HeldEvents {
  readonly fault: Fault;
  /** How many watches have a held event; at most one each. */
  readonly waiting: number;
  /** Releases a number of events, in order, including future ones. */
  release(count?: number): void;
  /** Releases all events, now and in the future. */
  open(): void;
  /** Breaks the connections of watches with a held event; later watches are held again. */
  break(): void;
}

/** Holds events from now on. */
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
