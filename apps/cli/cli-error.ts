// SPDX-License-Identifier: Apache-2.0

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
