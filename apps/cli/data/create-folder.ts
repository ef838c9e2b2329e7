// SPDX-License-Identifier: Apache-2.0
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a private folder and those above it, where they are missing. Not by `mkdir` with `recursive`: Node tries that
 * for ever where the system answers ENOENT below a folder that exists, as in `/proc`.
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
