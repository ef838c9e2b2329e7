// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';

/** The text of a file; undefined when there is none, which one that cannot be read is not. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
