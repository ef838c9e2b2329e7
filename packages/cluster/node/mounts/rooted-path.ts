// SPDX-License-Identifier: Apache-2.0
import { readlink } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Resolves a path with `root` as the root directory: links are followed inside it, missing components stay as they are.
 */
export async function rootedPath(root: string, path: string): Promise<string> {
  const left = path.split('/');
  let resolved = '/';
  for (let links = 0; left.length > 0;) {
    const next = join(resolved, left.shift() ?? '');
    const target = await readlink(join(root, next)).catch(() => undefined);
    if (target === undefined) {
      resolved = next;
      continue;
    }
    if (++links > 40) throw new Error(`${path} has too many links in ${root}`);
    if (target.startsWith('/')) resolved = '/';
    left.unshift(...target.split('/'));
  }
  return resolved;
}
