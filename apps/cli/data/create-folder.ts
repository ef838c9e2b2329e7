// SPDX-License-Identifier: Apache-2.0
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a private folder and its missing parents. Does not use `mkdir` with `recursive`: Node retries it forever
 * where the system returns ENOENT below an existing folder, as in `/proc`.
 */
export async function createFolder(path: string): Promise<void> {
  const parent = dirname(path);
  if ((await kindOf(parent)) === undefined && parent !== path) await createFolder(parent);
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if ((await kindOf(path)) !== 'folder') throw error;
  }
}

async function kindOf(path: string): Promise<'folder' | 'other' | undefined> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'other';
  } catch {
    return undefined;
  }
}
