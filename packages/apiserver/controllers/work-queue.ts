// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { milliseconds, minutes } from '@forge/runtime/environment/duration.ts';
import { queue } from '@forge/runtime/queue/queue.ts';
import type { ServerContext } from '../request/server-context.ts';
import { correctionLimit } from './correction-limit.ts';

/** Asks the rate limit before a correction to `what`; when it returns false, the key is queued again later. */
export type AllowCorrection = (what: string) => boolean;

/** A work queue with one worker. */
export interface WorkQueue {
  /** Queues a key. */
  add(key: string): void;
  /** Logs the error and retries the key with backoff. */
  retry(key: string, error: unknown): void;
  /** The rate limit for corrections of this key. */
  allowCorrection(key: string): AllowCorrection;
  /** Stops; resolves when running work is done. */
  stop(): Promise<void>;
}

const backoff = { base: milliseconds(5), cap: minutes(1) };

/** The queue of a controller: failed keys are logged and retried with backoff. */
export function workQueue(
  controller: string,
  { store, clock, random, log: serverLog }: ServerContext,
  work: (key: string, allowCorrection: AllowCorrection) => Promise<void>,
): WorkQueue {
  const keys = queue({ clock, random, backoff });
  const limit = correctionLimit(clock);
  const log = serverLog.with({ controller });
  const working = run();

  async function run(): Promise<void> {
    for (let key = await keys.next(); key !== undefined; key = await keys.next()) {
      try {
        // Work that commits directly must trigger storage recovery itself.
        await store.recover();
        await work(key, allowCorrection(key));
        keys.forget(key);
      } catch (error) {
        retry(key, error);
      }
      keys.done(key);
    }
  }

  function allowCorrection(key: string): AllowCorrection {
    return (what) => {
      const wait = limit(key, what);
      if (wait > 0) keys.addAfter(key, wait);
      return wait <= 0;
    };
  }

  function retry(key: string, error: unknown): void {
    // Conflicts are expected.
    const level = isApiError(error, 'Conflict') ? 'debug' : 'warn';
    log[level]('API server controller failed, retrying', { key, error });
    keys.retry(key);
  }

  return {
    add: (key) => keys.add(key),
    retry,
    allowCorrection: allowCorrection,
    async stop() {
      keys.close();
      await working;
    },
  };
}
