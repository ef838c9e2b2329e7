// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, opendir, rename, rmdir, unlink, type FileHandle } from 'node:fs/promises';
import { pathOf } from './open-inside.ts';

/** How many nested folders are open at once; deeper ones are first moved to the top. */
const maxOpenFolders = 16;

/**
 * Removes a folder and its content, if it exists: of any depth and number, with a bounded number of descriptors.
 *
 * Guarantees: nothing else is removed, even if folders in it are concurrently replaced by links: each folder is opened
 * without following links, and its content is removed relative to the descriptor. (Node's `rm` uses names, which become
 * too long in a deep tree.)
 */
export async function removeTree(folder: string): Promise<void> {
  // Repeats until no folder was too deep.
  while (await removeLevels(folder));
}

/** Removes the upper levels of a folder; returns whether there were deeper ones, which are now in the folder itself. */
async function removeLevels(folder: string): Promise<boolean> {
  await using top = await openFolder(folder).catch(ignoreMissing);
  if (!top) return false;
  const prefix = `${pathOf(top)}/${randomUUID()}`;
  let moved = 0;
  const remove = async (path: string, depth: number): Promise<void> => {
    if (depth === maxOpenFolders) return rename(path, `${prefix}-${moved++}`);
    {
      await using nested = await openFolder(path);
      await empty(nested, (deeper) => remove(deeper, depth + 1));
    }
    await rmdir(path);
  };
  await empty(top, (path) => remove(path, 1));
  if (moved === 0) await rmdir(folder).catch(ignoreMissing);
  return moved > 0;
}

/** Removes what is in an open folder, and calls `remove` for folders. */
async function empty(folder: FileHandle, remove: (path: string) => Promise<void>): Promise<void> {
  for await (const entry of await opendir(pathOf(folder))) {
    const path = `${pathOf(folder)}/${entry.name}`;
    await (entry.isDirectory() ? remove(path) : unlink(path)).catch(ignoreMissing);
  }
}

function openFolder(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
