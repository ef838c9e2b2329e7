// SPDX-License-Identifier: Apache-2.0
import type { Clock } from '@forge/runtime/environment/clock.ts';
import { logger, terminalLine, type LogEntry, type Logger } from '@forge/runtime/observability/logger.ts';

/** Writes a log entry to stderr in human-readable form. */
export function logToTerminal(entry: LogEntry): void {
  process.stderr.write(`${terminalLine(entry, process.stderr.isTTY)}\n`);
}

/** A logger that writes to stderr. */
export function terminalLog(clock: Clock): Logger {
  return logger({ clock, write: logToTerminal });
}
