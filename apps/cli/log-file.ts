// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '@forge/runtime/clock.ts';
import { jsonLine, logger, type Logger } from '@forge/runtime/logger.ts';

/** A logger that appends JSON lines to a file which only the user reads. */
export async function logFile(path: string, clock: Clock): Promise<AsyncDisposable & { log: Logger }> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = createWriteStream(path, { flags: 'a', mode: 0o600 });
  await once(file, 'open');
  return {
    log: logger({ clock, write: (entry) => file.write(`${jsonLine(entry)}\n`) }),
    async [Symbol.asyncDispose]() {
      file.end();
      await once(file, 'close');
    },
  };
}
