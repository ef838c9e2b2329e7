import { quoted } from '../../host/quoted.ts';
// SPDX-License-Identifier: Apache-2.0
import { runCommand } from '../../host/run-command.ts';
import type { Toolbox } from '../../host/toolbox.ts';
import { pathOf } from './open-inside.ts';

/** The arguments of a mount command. */
export interface MountCommand {
  options: string;
  source: string;
  target: string;
  type?: string;
}

/** The path of the n-th inherited descriptor. */
export function inherited(count: number): string {
  return pathOf({ fd: 2 + count });
}

/** Runs mount commands in one shell: a container has a dozen. Throws when one fails. */
export async function runMounts(
  mounts: readonly MountCommand[],
  descriptors: readonly number[],
  tools: Toolbox,
): Promise<void> {
  const lines = mounts.map(({ options, source, target, type }) => {
    // Without canonicalizing the descriptor's path, which may have changed by then.
    const words = [...tools.mount, '--no-canonicalize', ...(type === undefined ? [] : ['-t', type]), '-o', options];
    return [...words, source, target].map(quoted).join(' ');
  });
  await runCommand(['sh', '-c', lines.join(' &&\n')], { name: 'mount', descriptors });
}
