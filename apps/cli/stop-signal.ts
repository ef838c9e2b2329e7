// SPDX-License-Identifier: Apache-2.0
import { CliError } from './cli-error.ts';

/** One Ctrl-C may reach us several times: from the terminal, from npm, from our launcher. */
const samePress = 500;

/** Aborts on the first SIGINT, SIGTERM or call, for this reason; a second press ends the process at once. */
export function stopSignal(reason: string): { signal: AbortSignal; stop: () => void; stopped: Promise<undefined> } {
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let firstPress = Infinity;
  const stop = () => {
    controller.abort(new CliError(reason, 130));
    resolve(undefined);
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      firstPress = Math.min(firstPress, performance.now());
      if (performance.now() - firstPress > samePress) process.exit(130);
      stop();
    });
  }
  return { signal: controller.signal, stop, stopped: promise };
}
