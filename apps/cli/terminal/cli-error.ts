// SPDX-License-Identifier: Apache-2.0
import { debuglog } from 'node:util';
import { StorageFailed } from '@forge/apiserver/storage/storage.ts';
import { errorText } from '@forge/runtime/observability/error-text.ts';
import { exitCodes } from './exit-code.ts';

/** An error whose message is shown without a stack trace. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: number;

  constructor(message: string, code: number = exitCodes.failed.code, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const debug = debuglog('forge');

/** Prints why a command failed and sets the exit code; with NODE_DEBUG=forge, prints the stack trace as well. */
export function report(error: unknown): void {
  process.exitCode = error instanceof CliError ? error.code : exitCodes.failed.code;
  console.error(isPlain(error) ? `\n${error.message}` : `\n${errorText(error)}`);
  debug('%o', error);
}

/** Whether the message is enough: for a CliError, and for system errors that name the file. */
function isPlain(error: unknown): error is Error {
  if (error instanceof CliError || error instanceof StorageFailed) return true;
  return error instanceof Error && 'syscall' in error && 'path' in error;
}
