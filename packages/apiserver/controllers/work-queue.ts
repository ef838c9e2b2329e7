// SPDX-License-Identifier: Apache-2.0
import { isApiError } from '@forge/kube/errors/api-error.ts';
import { queue } from '@forge/runtime/queue/queue.ts';
import { milliseconds, minutes } from '@forge/runtime/time/duration.ts';
import type { ServerContext } from '../context/server-context.ts';
import { correctionLimit } from './correction-limit.ts';

/** Is asked before something is made `what` it should be; when it may not be made now, the key comes again later. */
export type AllowCorrection = (what: string) => boolean;

/** Keys that one worker processes one after the other. */
export interface WorkQueue {
  /** Has the key processed soon. */
  add(key: string): void;
  /** Logs why the key could not be processed, and has that tried again after its backoff. */
  retry(key: string, error: unknown): void;
  /** What the work on this key asks before it corrects something. */
  allowCorrection(key: string): AllowCorrection;
  /** Takes no more work and resolves when what was under way is done. */
  stop(): Promise<void>;
}

const backoff = { base: milliseconds(5), cap: minutes(1) };

/** A controller's queue: a key whose work fails is logged and tried again with backoff. */
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
        // Work that commits by itself must not wait for somebody else to notice that there is room again.
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
    // To be overtaken by another writer is part of the work.
    const level = isApiError(error, 'Conflict') ? 'debug' : 'warn';
    log[level]('a controller of the API server failed, trying again', { key, error });
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
