// SPDX-License-Identifier: Apache-2.0
import { rename, writeFile } from 'node:fs/promises';

/** Writes a file that only its owner reads, whole or not at all. */
export async function privateFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
