// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';

/** The content of a file; undefined when it does not exist. A file that cannot be read is an error. */
export async function readFileIfExists(path: string | URL): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
