import { quoted } from '../../host/quoted.ts';
// SPDX-License-Identifier: Apache-2.0
import { runCommand } from '../../host/run-command.ts';
import type { Toolbox } from '../../host/toolbox.ts';
import { pathOf } from './open-inside.ts';

/** A mount as the program takes it. */
export interface MountCommand {
  options: string;
  source: string;
  target: string;
  type?: string;
}

/** The path of the n-th descriptor that a command inherits. */
export function inherited(count: number): string {
  return pathOf({ fd: 2 + count });
}

/** Makes mounts one after the other, in one shell: a container has a dozen. Throws when one cannot be made. */
export async function runMounts(
  mounts: readonly MountCommand[],
  descriptors: readonly number[],
  tools: Toolbox,
): Promise<void> {
  const lines = mounts.map(({ options, source, target, type }) => {
    // Without asking which path a descriptor has, which could be another one when it is mounted.
    const words = [...tools.mount, '--no-canonicalize', ...(type === undefined ? [] : ['-t', type]), '-o', options];
    return [...words, source, target].map(quoted).join(' ');
  });
  await runCommand(['sh', '-c', lines.join(' &&\n')], { name: 'mount', descriptors });
}
