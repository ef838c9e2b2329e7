// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';

/** The path of a folder directly inside another; throws when the name could resolve elsewhere. */
export function folderIn(parent: string, name: string): string {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) {
    throw new Error(`${JSON.stringify(name)} is not a valid folder name in ${parent}`);
  }
  return join(parent, name);
}
