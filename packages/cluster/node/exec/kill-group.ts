// SPDX-License-Identifier: Apache-2.0
import type { ChildProcess } from 'node:child_process';

/** Kills a detached command with its group: nsenter's child lives in the container's pid namespace and would outlive it. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It has just ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
