// SPDX-License-Identifier: Apache-2.0
import { constants } from 'node:fs';
import { open, readdir, rmdir, unlink } from 'node:fs/promises';
import { pathOf } from './open-inside.ts';

/**
 * Removes a folder and all it holds, if it is there.
 *
 * Guarantees: nothing else is removed, even while somebody replaces folders in there by links: each folder is opened
 * without following a link, and what it holds is removed relative to what was opened. (`rm` of Node goes by names.)
 */
export async function removeTree(folder: string): Promise<void> {
  await empty(folder).catch(unlessGone);
  await rmdir(folder).catch(unlessGone);
}

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

async function empty(folder: string): Promise<void> {
  await using handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const own = pathOf(handle);
  for (const entry of await readdir(own, { withFileTypes: true })) {
    const path = `${own}/${entry.name}`;
    if (entry.isDirectory()) await removeTree(path);
    else await unlink(path).catch(unlessGone);
  }
}
