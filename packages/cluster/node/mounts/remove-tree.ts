// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, opendir, rename, rmdir, unlink, type FileHandle } from 'node:fs/promises';
import { pathOf } from './open-inside.ts';

/**
 * Removes a folder and its content, if it exists: of any depth and number, with a bounded number of descriptors.
 *
 * Guarantees: nothing else is removed, even if folders in it are concurrently replaced by links: each folder is opened
 * without following links, and its content is removed relative to the descriptor. (Node's `rm` uses names, which a deep
 * tree makes too long.) Nested folders are first moved to the top, so that no tree is ever deeper than two levels.
 */
export async function removeTree(folder: string): Promise<void> {
  await empty(folder).catch(unlessGone);
  await rmdir(folder).catch(unlessGone);
}

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

async function empty(folder: string): Promise<void> {
  await using top = await openFolder(folder);
  // Moved folders are numbered, so that a list of them need not be kept.
  const prefix = `${pathOf(top)}/${randomUUID()}-`;
  let moved = 0;
  const moveUp = async (path: string) => {
    if (path.startsWith(prefix)) return;
    await rename(path, `${prefix}${moved}`);
    moved += 1;
  };
  await emptyFolder(top, moveUp);
  for (let next = 0; next < moved; next += 1) {
    const path = `${prefix}${next}`;
    {
      await using nested = await openFolder(path);
      await emptyFolder(nested, moveUp);
    }
    await rmdir(path);
  }
}

/** Removes what is in a folder, except folders, which are moved away. */
async function emptyFolder(folder: FileHandle, moveUp: (path: string) => Promise<void>): Promise<void> {
  const own = pathOf(folder);
  for await (const entry of await opendir(own)) {
    const path = `${own}/${entry.name}`;
    await (entry.isDirectory() ? moveUp(path) : unlink(path)).catch(unlessGone);
  }
}

function openFolder(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}
