// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { runCommand } from '../../host/run-command.ts';
import type { Toolbox } from '../../host/toolbox.ts';
import { pathOf } from './open-inside.ts';

/** The fields of a mount, as in fstab. */
export interface Mount {
  options: string;
  source: string;
  target: string;
  /** Default: none, for bind mounts. */
  type?: string;
}

/** The path of the n-th inherited descriptor. */
export function inherited(count: number): string {
  return pathOf({ fd: 2 + count });
}

/**
 * Mounts in this order, by one process, since a container has a dozen mounts. Throws when one fails. `table` is the
 * path of the fstab file that is written for it.
 */
export async function runMounts(
  mounts: readonly Mount[],
  descriptors: readonly number[],
  { table, tools }: { table: string; tools: Toolbox },
): Promise<void> {
  if (mounts.length === 0) return;
  await writeFile(table, mounts.map(tableLine).join(''));
  // Does not canonicalize the descriptors' paths, which may have changed by then.
  const command = [...tools.mount, '--no-canonicalize', '--all', '--fstab', table];
  await runCommand(command, { name: 'mount', descriptors });
}

/** The line of a mount in fstab; white space, backslashes and a leading number sign are in octal there. */
export function tableLine({ source, target, type = 'none', options }: Mount): string {
  const words = [source, target, type, options].map((word) =>
    word.replaceAll(/[\s\\#]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`),
  );
  return `${words.join(' ')} 0 0\n`;
}
