// SPDX-License-Identifier: Apache-2.0
import { constants } from 'node:os';

/** The exit code as in a shell: 128 plus the signal number when killed by a signal. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + constants.signals[signal ?? 'SIGKILL'];
}
