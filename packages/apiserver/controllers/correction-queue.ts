// SPDX-License-Identifier: Apache-2.0
import type { ServerContext } from '../context/server-context.ts';
import { workQueue, type AllowCorrection } from './work-queue.ts';

/** Sets right what has changed. */
export interface CorrectionQueue {
  /**
   * Corrects what the key names at once, so that it is right as soon as the change is answered; later when that fails, or
   * when it was corrected too often.
   */
  correct(key: string): void;
  stop(): Promise<void>;
}

/** A queue of corrections that are commits to the store. */
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
      // When it could not be kept, it has been taken back.
      store.durable().catch((error: unknown) => queue.retry(key, error));
    },
    stop: () => queue.stop(),
  };
}
