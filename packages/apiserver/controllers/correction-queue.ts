// SPDX-License-Identifier: Apache-2.0
import type { ServerContext } from '../request/server-context.ts';
import { workQueue, type AllowCorrection } from './work-queue.ts';

/** Corrects objects synchronously after changes. */
export interface CorrectionQueue {
  /** Corrects the key immediately, before the response to the change; later when that fails or is rate limited. */
  correct(key: string): void;
  stop(): Promise<void>;
}

/** A queue of corrections that commit to the store directly. */
export function correctionQueue(
  controller: string,
  server: ServerContext,
  correct: (key: string, allowCorrection: AllowCorrection) => void,
): CorrectionQueue {
  const { store } = server;
  const queue = workQueue(controller, server, async (key, allowCorrection) => {
    correct(key, allowCorrection);
    await store.durable();
  });
  return {
    correct(key) {
      const { revision } = store.current;
      try {
        correct(key, queue.allowCorrection(key));
      } catch (error) {
        return queue.retry(key, error);
      }
      if (store.current.revision === revision) return;
      // A correction that could not be persisted was rolled back.
      store.durable().catch((error: unknown) => queue.retry(key, error));
    },
    stop: () => queue.stop(),
  };
}
