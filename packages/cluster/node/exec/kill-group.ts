// SPDX-License-Identifier: Apache-2.0
import type { ChildProcess } from 'node:child_process';

/**
 * Kills a detached command with its process group: nsenter's child is in the container's pid namespace and would
 * survive.
 */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It has already exited.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
