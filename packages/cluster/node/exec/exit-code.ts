// SPDX-License-Identifier: Apache-2.0
import { constants } from 'node:os';

/** How a process ended as a shell tells it: 128 and the signal's number when a signal ended it. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + constants.signals[signal ?? 'SIGKILL'];
}
