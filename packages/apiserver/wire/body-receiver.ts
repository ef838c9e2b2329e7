// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage } from 'node:http';
import { maxBodySize } from '../encoding/decode-body.ts';
import { statusError } from '../messages/status-errors.ts';

/** Memory limit in bytes of all bodies being received. */
const capacity = 32 * 1024 * 1024;

/** Chunks taken per turn of the event loop: one byte each, a turn can bring hundreds of thousands. */
const chunksPerTurn = 1000;

/** A body being received. */
interface Arrival {
  readonly body: GrowingBody;
  /** Discards the body and whatever still arrives of it. */
  refuse(error: Error): void;
}

/**
 * The bytes of a body so far. One chunk, which most bodies are, is kept as it is; others are copied, since each would take
 * 200 bytes besides its own.
 */
class GrowingBody {
  #buffer: Uint8Array = new Uint8Array();
  size = 0;

  /** The memory it takes, in bytes. */
  get capacity(): number {
    return this.#buffer.length;
  }

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.size);
  }

  /** Adds a chunk; returns how many bytes of memory that took. */
  add(chunk: Uint8Array): number {
    const before = this.capacity;
    const size = this.size + chunk.length;
    if (this.size === 0) this.#buffer = chunk;
    else {
      if (size > before) this.#grow(Math.max(size, Math.min(before * 2, maxBodySize)));
      this.#buffer.set(chunk, this.size);
    }
    this.size = size;
    return this.capacity - before;
  }

  #grow(room: number): void {
    const buffer = Buffer.allocUnsafe(room);
    buffer.set(this.bytes);
    this.#buffer = buffer;
  }
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
    const arrival: Arrival = { body: new GrowingBody(), refuse: (error) => (fail(error), request.resume()) };
    let chunks = 0;
    const take = (chunk: Uint8Array): void => {
      stalled.refresh();
      chunks += 1;
      if (chunks % chunksPerTurn === 0) {
        request.pause();
        setImmediate(() => request.resume());
      }
      // The rest is read but discarded: the body is too large already.
      if (arrival.body.size <= maxBodySize) this.#keep(arrival, chunk);
    };
    const end = (): void => {
      settle();
      resolve(arrival.body.bytes);
    };
    request.on('data', take).once('end', end).once('error', fail);
    return promise;
  }

  #keep(arrival: Arrival, chunk: Uint8Array): void {
    this.#arrivals.delete(arrival);
    this.#arrivals.add(arrival);
    this.#held += arrival.body.add(chunk);
    for (const slowest of this.#arrivals) {
      if (this.#held <= capacity) return;
      slowest.refuse(tooManyBodies());
    }
  }

  #release(arrival: Arrival): void {
    if (this.#arrivals.delete(arrival)) this.#held -= arrival.body.capacity;
  }
}

function tooManyBodies(): Error {
  const message = 'Too many requests are sending large bodies slowly, please try again later.';
  return statusError(429, 'TooManyRequests', message, { retryAfterSeconds: 1 });
}
