// SPDX-License-Identifier: Apache-2.0
import { constants } from 'node:fs';
import { open, readdir, rmdir, unlink } from 'node:fs/promises';
import { pathOf } from './open-inside.ts';

/**
 * Removes a folder and its content, if it exists.
 *
 * Guarantees: nothing else is removed, even if folders in it are concurrently replaced by links: each folder is opened
 * without following links, and its content is removed relative to the descriptor. (Node's `rm` uses names.)
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
