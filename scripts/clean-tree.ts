// SPDX-License-Identifier: Apache-2.0
// Fails a test run that leaves files in the repository: node --test --test-global-setup=scripts/clean-tree.ts
import { globSync } from 'node:fs';

const filesNow = () => globSync('**/*', { exclude: ['**/node_modules', '.git', '.forge'] });
let before: ReadonlySet<string> = new Set();

/** Called by the test runner before the first test. */
export function globalSetup(): void {
  before = new Set(filesNow());
}

/** Called by the test runner after the last test. */
export function globalTeardown(): void {
  const left = filesNow().filter((file) => !before.has(file));
  if (left.length === 0) return;
  for (const file of left) console.error(`${file} was left behind by the tests; write to a temporary folder instead`);
  process.exitCode = 1;
}
