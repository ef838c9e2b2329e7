// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '@forge/runtime/clock.ts';

/** Works off keys one after the other. */
export interface WorkQueue {
  add(key: string): void;
  /** Takes no more work and resolves when what was under way is done. */
  stop(): Promise<void>;
}

const retryDelay = 1000;

/** A queue that works off each key soon after it was added, and again a second later when that failed. */
export function workQueue(clock: Clock, work: (key: string) => Promise<void>): WorkQueue {
  const waiting = new Set<string>();
  const retries = new Set<() => void>();
  let running: Promise<void> | undefined;
  let stopped = false;

  async function run(): Promise<void> {
    for (const key of waiting) {
      waiting.delete(key);
      try {
        await work(key);
      } catch {
        retryLater(key);
      }
      if (stopped) break;
    }
    running = undefined;
  }

  function retryLater(key: string): void {
    const cancel = clock.after(retryDelay, () => {
      retries.delete(cancel);
      add(key);
    });
    retries.add(cancel);
  }

  function add(key: string): void {
    if (stopped) return;
    waiting.add(key);
    // Begins in a turn of its own: whoever adds is in the middle of a change.
    running ??= Promise.resolve().then(run);
  }

  return {
    add,
    async stop() {
      stopped = true;
      for (const cancel of retries) cancel();
      await running;
    },
  };
}
