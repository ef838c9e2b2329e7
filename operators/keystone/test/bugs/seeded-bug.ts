// SPDX-License-Identifier: Apache-2.0
import type { SourceBug } from '@forge/runtime/testing/bug-seeder.ts';

/** A bug of the operator and the test that must fail; both files are below `operators/keystone`. */
export interface SeededBug extends SourceBug {
  readonly caughtBy: readonly [file: string, test: string];
}
