// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage } from 'node:http';
import { maxBodySize } from '../encoding/decode-body.ts';
import { statusError } from '../request/status-errors.ts';

/** Memory limit in bytes of all bodies being received. */
const capacity = 32 * 1024 * 1024;

/** A body being received. */
interface Arrival {
  readonly chunks: Uint8Array[];
  size: number;
  /** Discards the body and whatever still arrives of it. */
  refuse(error: Error): void;
}

/** Receives request bodies; when memory runs out, the slowest ones are discarded. */
export class BodyReceiver {
  readonly #stallTimeout: number;
  /** Bodies being received, the longest idle first. */
  readonly #arrivals = new Set<Arrival>();
  #held = 0;

  /** The stall timeout is how long a client may send nothing, in milliseconds; a body may take twice that in total. */
  constructor(stallTimeout: number) {
    this.#stallTimeout = stallTimeout;
  }

  /** Reads the body of a request; one above the size limit is truncated. A client that stalls is disconnected. */
  read(request: IncomingMessage): Promise<Uint8Array> {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const drop = (): unknown => request.destroy(new Error('timed out waiting for the rest of the body'));
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
      // The rest is read but discarded: the body is too large already.
      if (arrival.size <= maxBodySize) this.#keep(arrival, chunk);
    };
    const end = (): void => {
      settle();
      // Most bodies arrive in one chunk.
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
