// SPDX-License-Identifier: Apache-2.0
import type { SourceBug } from '@forge/runtime/testing/bug-seeder.ts';

/** A bug of the server and the row that must fail; `file` is below `packages`. */
export interface SeededBug extends SourceBug {
  readonly row: string;
}
