// SPDX-License-Identifier: Apache-2.0
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readIfThere } from './read-if-there.ts';
import { writePrivateFile } from './write-private-file.ts';

/** The content of a private file, created on first use. */
export async function loadOrCreateFile(path: string, make: () => string): Promise<string> {
  const kept = await readIfThere(path);
  if (kept !== undefined) return kept;
  const made = make();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writePrivateFile(path, made);
  return made;
}
