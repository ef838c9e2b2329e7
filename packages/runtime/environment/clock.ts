// SPDX-License-Identifier: Apache-2.0
import { setImmediate } from 'node:timers/promises';

/** The source of time: everything that waits or reads the time uses a clock. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since an arbitrary moment, for durations: unlike the time of day, it is never set. */
  monotonic(): number;
  /** Calls back once after `delay` milliseconds; the returned function cancels that. */
  after(delay: number, callback: () => void): () => void;
  /**
   * To be awaited now and then in long-running work: yields to the event loop when the last turn is long ago, so that
   * timers and sockets are served. Only on a real clock.
   */
  yieldToEventLoop?(): Promise<void>;
}

/** Node fires a longer timer at once. */
const longestTimer = 2 ** 31 - 1;

const maxBlockingTime = 50;
const lastYield = { last: 0 };

/** The system's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delay, callback) {
    let timer: NodeJS.Timeout;
    const wait = (left: number) => {
      timer = left > longestTimer ? setTimeout(wait, longestTimer, left - longestTimer) : setTimeout(callback, left);
    };
    wait(delay);
    return () => clearTimeout(timer);
  },
  async yieldToEventLoop() {
    if (Date.now() - lastYield.last < maxBlockingTime) return;
    await setImmediate();
    lastYield.last = Date.now();
  },
};

/** Resolves after `delay` milliseconds of the clock, or rejects at once when the signal aborts. */
export function sleep(clock: Clock, delay: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const cancel = clock.after(delay, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    function abort(): void {
      cancel();
      reject(signal?.reason as Error);
    }
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** The last second that was formatted: it is needed many times. */
const latest = { second: NaN, text: '' };

/** The clock's time as Kubernetes writes it: RFC 3339, UTC, whole seconds. */
export function timestamp(clock: Clock): string {
  const second = Math.floor(clock.now() / 1000);
  if (second !== latest.second) {
    latest.second = second;
    latest.text = `${new Date(second * 1000).toISOString().slice(0, -'.000Z'.length)}Z`;
  }
  return latest.text;
}
