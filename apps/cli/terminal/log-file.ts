// SPDX-License-Identifier: Apache-2.0
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { jsonLine, logger, type LogEntry, type Logger } from '@forge/runtime/observability/logger.ts';
import { logToTerminal } from './terminal-log.ts';

/** A logger that appends JSON lines to a private file; entries that cannot be written go to the terminal. */
export async function logFile(path: string, clock: Clock): Promise<Disposable & { log: Logger }> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, 'a', 0o600);
  const write = (entry: LogEntry): void => {
    try {
      writeSync(file, `${jsonLine(entry)}\n`);
    } catch {
      logToTerminal(entry);
    }
  };
  return { log: logger({ clock, write }), [Symbol.dispose]: () => closeSync(file) };
}
