// SPDX-License-Identifier: Apache-2.0
import type { Manager } from '@forge/runtime/controller/manager.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import type { VirtualClock } from '@forge/runtime/environment/virtual-clock.ts';

/** What can be stopped and started again. */
export interface Restartable {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Runs a new manager after each start, as a new process: nothing of what the last one remembered is left. */
export function restartable(clock: VirtualClock, newManager: () => Manager): Restartable {
  let running: Manager | undefined;
  return {
    async start() {
      running = newManager();
      await running.start();
    },
    async stop() {
      const ended = running?.stop();
      running = undefined;
      // Running reconciles end in time, or are cancelled.
      if (ended !== undefined) await clock.advance(seconds(20));
      await ended;
    },
  };
}
