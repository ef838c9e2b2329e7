// SPDX-License-Identifier: Apache-2.0
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readFileIfExists } from '@forge/runtime/process/read-file-if-exists.ts';
import { writePrivateFile } from './write-private-file.ts';

/** The content of a private file, created on first use. */
export async function loadOrCreateFile(path: string, make: () => string): Promise<string> {
  const kept = (await readFileIfExists(path))?.toString();
  if (kept !== undefined) return kept;
  const made = make();
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writePrivateFile(path, made);
  return made;
}
