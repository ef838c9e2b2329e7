// SPDX-License-Identifier: Apache-2.0
import { basename } from 'node:path';

/** What stands above all rooms of an operator: it assembles what they hold. */
const atRoot =
  /^((operator|reconcile|main|dashboard|register)(\.test)?\.ts|[a-z0-9]+-operator\.mjs|package\.json|README\.md)$/;

/** Files at the root of an operator that belong into a room. */
export function rootProblems(files: readonly string[]): string[] {
  return files
    .filter((file) => !atRoot.test(basename(file)))
    .map((file) => `${file} must not be at the root of an operator: move it to a room`);
}
