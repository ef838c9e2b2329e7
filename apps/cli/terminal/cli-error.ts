// SPDX-License-Identifier: Apache-2.0
import { debuglog } from 'node:util';
import { StorageFailed } from '@forge/apiserver/storage/storage.ts';
import { errorText } from '@forge/runtime/logging/error-text.ts';

/** Exit codes of every command; README.md lists them for users. */
export const exitCode = { failed: 1, usage: 2, machine: 3, running: 4 } as const;

/** An error whose message is shown without a stack trace. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: number;

  constructor(message: string, code: number = exitCode.failed, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const debug = debuglog('forge');

/** Prints why a command failed and sets the exit code; with NODE_DEBUG=forge, prints the stack trace as well. */
export function report(error: unknown): void {
  process.exitCode = error instanceof CliError ? error.code : exitCode.failed;
  console.error(isPlain(error) ? `\n${error.message}` : `\n${errorText(error)}`);
  debug('%o', error);
}

/** Whether the message is enough: our own, and system errors that name the file. */
function isPlain(error: unknown): error is Error {
  if (error instanceof CliError || error instanceof StorageFailed) return true;
  return error instanceof Error && 'syscall' in error && 'path' in error;
}
