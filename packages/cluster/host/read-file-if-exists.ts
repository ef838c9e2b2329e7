// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';

/** The text of a file, or undefined when there is no such file. */
export async function readFileIfExists(path: string | URL): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
