// SPDX-License-Identifier: Apache-2.0
import { globSync } from 'node:fs';

const filesNow = () => globSync('**/*', { exclude: ['**/node_modules', '.git', '.forge'] });

/**
 * Returns a function that names on stderr the files that have appeared in the repository since; it returns their
 * number.
 */
export function reportNewFiles(): () => number {
  const before = new Set(filesNow());
  return () => {
    const left = filesNow().filter((file) => !before.has(file));
    for (const file of left) console.error(`${file} was left behind by the tests; write to a temporary folder instead`);
    return left.length;
  };
}
