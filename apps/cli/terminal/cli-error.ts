// SPDX-License-Identifier: Apache-2.0
import { debuglog } from 'node:util';
import { StorageFailed } from '@forge/apiserver/storage/storage.ts';
import { errorText } from '@forge/runtime/logging/error-text.ts';

/** Exit codes of every command; README.md lists them for users. */
export const exitCode = { failed: 1, usage: 2, machine: 3, running: 4 } as const;

/** A failure the user can read as it is: no stack is shown. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: number;

  constructor(message: string, code: number = exitCode.failed, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const debug = debuglog('forge');

/** Tells the user why a command failed, and sets the exit code; with NODE_DEBUG=forge also where it did. */
export function report(error: unknown): void {
  process.exitCode = error instanceof CliError ? error.code : exitCode.failed;
  console.error(isPlain(error) ? `\n${error.message}` : `\n${errorText(error)}`);
  debug('%o', error);
}

/** Whether the message says it all: ours do, and that of a system which names the file it could not use. */
function isPlain(error: unknown): error is Error {
  if (error instanceof CliError || error instanceof StorageFailed) return true;
  return error instanceof Error && 'syscall' in error && 'path' in error;
}
