// SPDX-License-Identifier: Apache-2.0
import { exitCodes } from './exit-code.ts';

/** One Ctrl-C may arrive several times: from the terminal, from npm, from the launcher. */
const samePress = 500;

/** Calls `stop` on the first SIGTERM or SIGINT; a later one exits at once. */
export function onStopSignal(stop: () => void): void {
  let first: number | undefined;
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => {
      first ??= performance.now();
      if (performance.now() - first > samePress) process.exit(exitCodes.forced.code);
      stop();
    });
  }
}
