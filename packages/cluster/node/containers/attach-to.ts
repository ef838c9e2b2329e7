// SPDX-License-Identifier: Apache-2.0
import { PassThrough } from 'node:stream';
import type { StreamedCommand } from '../exec/streamed-command.ts';
import type { RunningContainer } from './container-runtime.ts';

/** The container's main process as a streamed command; detaching does not end it. */
export function attachTo({ outputs, ended, ...running }: RunningContainer, stdin: boolean): StreamedCommand {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  outputs.stdout.pipe(stdout);
  outputs.stderr.pipe(stderr);
  const detached = Promise.withResolvers<void>();
  return {
    stdin: stdin ? running.openInput() : undefined,
    stdout,
    stderr,
    resize: (columns, rows) => running.resize(columns, rows),
    ended: Promise.race([ended, detached.promise]).then(() => 0),
    kill() {
      outputs.stdout.unpipe(stdout);
      outputs.stderr.unpipe(stderr);
      detached.resolve();
    },
  };
}
