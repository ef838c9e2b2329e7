// SPDX-License-Identifier: Apache-2.0
import { rename, rm, writeFile } from 'node:fs/promises';
import { CliError } from '../terminal/cli-error.ts';

/** Writes a file atomically, readable only by its owner. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  try {
    // An existing file would keep its mode and its open readers.
    await rm(`${path}.new`, { force: true });
    await writeFile(`${path}.new`, text, { mode: 0o600, flag: 'wx', flush: true });
    await rename(`${path}.new`, path);
  } catch (error) {
    const { message } = error as Error;
    // An ENOSPC error does not name the file.
    throw new CliError(`${path} cannot be written (${message}).`, undefined, { cause: error });
  }
}
