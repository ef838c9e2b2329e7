// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage } from 'node:http';
import { maxBodySize } from '../encoding/decode-body.ts';
import { statusError } from '../request/status-errors.ts';

/** As many bytes as all bodies that are still arriving may hold together. */
const capacity = 32 * 1024 * 1024;

/** A body on its way. */
interface Arrival {
  readonly chunks: Uint8Array[];
  size: number;
  /** Gives up the body: what has arrived is let go of, and what is still to come is not kept. */
  refuse(error: Error): void;
}

/** Receives bodies; those that arrive slowest make room when all together would hold too much memory. */
export class BodyReceiver {
  readonly #stallTimeout: number;
  /** What is arriving, those that were silent for longest first. */
  readonly #arrivals = new Set<Arrival>();
  #held = 0;

  /** Patience is how long a sender may be silent, in milliseconds; a body may take twice that in all. */
  constructor(stallTimeout: number) {
    this.#stallTimeout = stallTimeout;
  }

  /**
   * Reads the body of a request; of one larger than any object may be it gives the beginning. A sender that is silent for
   * longer than our patience loses its connection.
   */
  read(request: IncomingMessage): Promise<Uint8Array> {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const drop = (): unknown => request.destroy(new Error('the rest of the body does not come'));
    const stalled = setTimeout(drop, this.#stallTimeout);
    const overdue = setTimeout(drop, this.#stallTimeout * 2);
    const settle = (): void => {
      clearTimeout(stalled);
      clearTimeout(overdue);
      this.#release(arrival);
      request.off('data', take).off('end', end).off('error', fail);
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
    };
    const arrival: Arrival = { chunks: [], size: 0, refuse: (error) => (fail(error), request.resume()) };
    const take = (chunk: Uint8Array): void => {
      stalled.refresh();
      // The rest is taken, but not kept: what is too large already cannot become right.
      if (arrival.size <= maxBodySize) this.#keep(arrival, chunk);
    };
    const end = (): void => {
      settle();
      // Most bodies come at once.
      resolve(arrival.chunks.length === 1 ? (arrival.chunks[0] as Uint8Array) : Buffer.concat(arrival.chunks));
    };
    request.on('data', take).once('end', end).once('error', fail);
    return promise;
  }

  #keep(arrival: Arrival, chunk: Uint8Array): void {
    this.#arrivals.delete(arrival);
    this.#arrivals.add(arrival);
    arrival.chunks.push(chunk);
    arrival.size += chunk.length;
    this.#held += chunk.length;
    for (const slowest of this.#arrivals) {
      if (this.#held <= capacity) return;
      slowest.refuse(tooManyBodies());
    }
  }

  #release(arrival: Arrival): void {
    if (this.#arrivals.delete(arrival)) this.#held -= arrival.size;
  }
}

function tooManyBodies(): Error {
  const message = 'Too many requests are sending large bodies slowly, please try again later.';
  return statusError(429, 'TooManyRequests', message, { retryAfterSeconds: 1 });
}
