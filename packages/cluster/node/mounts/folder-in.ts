// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';

/** The folder of that name directly inside another; throws when the name could lead anywhere else. */
export function folderIn(parent: string, name: string): string {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) {
    throw new Error(`${JSON.stringify(name)} cannot be the name of a folder in ${parent}`);
  }
  return join(parent, name);
}
