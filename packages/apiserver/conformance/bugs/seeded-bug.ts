// SPDX-License-Identifier: Apache-2.0

/** A bug of the server, a text replacement in a source file, and the case that must fail. */
export interface SeededBug {
  /** What goes wrong. */
  readonly name: string;
  /** Path below `packages`. */
  readonly file: string;
  /** Occurs once in the file. */
  readonly find: string;
  readonly replace: string;
  readonly caughtBy: string;
}
