// SPDX-License-Identifier: Apache-2.0
import { readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Where a path leads when `root` is the root folder: links are followed inside it, what does not exist stays as it is. */
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
    if (++links > 40) throw new Error(`${path} leads through too many links in ${root}`);
    if (target.startsWith('/')) resolved = '/';
    left.unshift(...target.split('/'));
  }
  return resolved;
}
