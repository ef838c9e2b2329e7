// SPDX-License-Identifier: Apache-2.0
import { onStopSignal } from '@forge/runtime/process/on-stop-signal.ts';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-code.ts';

/** Aborts on the first SIGINT, SIGTERM or call of `stop`, with this reason; a second signal exits at once. */
export function stopSignal(reason: string): { signal: AbortSignal; stop: () => void; stopped: Promise<undefined> } {
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const stop = () => {
    controller.abort(new CliError(reason, exitCodes.interrupted.code));
    resolve(undefined);
  };
  onStopSignal(stop);
  return { signal: controller.signal, stop, stopped: promise };
}
