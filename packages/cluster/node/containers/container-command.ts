import { enterFolder, toolsInside, type Toolbox } from '../../host/toolbox.ts';
import { isCreatedBySandbox, rootIn, stagedIn, type BindMount } from '../mounts/compose-root.ts';
import { coverKernelFiles } from '../mounts/kernel-files.ts';
// SPDX-License-Identifier: Apache-2.0
import { ContainerConfigError } from '../references/container-config-error.ts';
import type { ContainerUser } from './container-user.ts';

/** A container in all detail: nothing is left to look up. */
export interface ContainerSpec {
  user: ContainerUser;
  hostname: string;
  env: Readonly<Record<string, string>>;
  command: readonly string[];
  workingDir: string;
  readOnlyRoot: boolean;
  /** In the order they are made: a mount inside another comes after it. */
  mounts: readonly BindMount[];
}

/**
 * Everything bubblewrap is told about a container, except the command: the root and staged mounts are in its `own` folder.
 *
 * No path in there has a part that a pod can change. Bubblewrap follows paths while it still sees what the node sees.
 */
export function sandboxArguments(
  spec: ContainerSpec,
  { own, tools }: { own: string; tools: Toolbox },
  atTerminal = false,
): string[] {
  return [
    // One user is mapped onto ours: whoever the container's processes are, they can do no more than we.
    ['--unshare-user', '--disable-userns', '--uid', String(spec.user.uid), '--gid', String(spec.user.gid)],
    ['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--hostname', spec.hostname],
    // As in any container, the command itself is process 1 and gets the signals.
    ['--as-pid-1', '--die-with-parent', '--cap-drop', 'ALL'],
    // Only a terminal of its own may send it signals.
    atTerminal ? [] : ['--new-session'],
    ['--bind', rootIn(own), '/', '--proc', '/proc', '--dev', '/dev'],
    ...spec.mounts.map(({ target }, index) =>
      isCreatedBySandbox(target) ? ['--bind', stagedIn(own, index), target] : [],
    ),
    ['--ro-bind', tools.root, toolsInside, ...coverKernelFiles()],
    ['--chdir', isFixedWorkingDir(spec) ? spec.workingDir : '/'],
    spec.readOnlyRoot ? ['--remount-ro', '/'] : [],
    ['--clearenv', ...(atTerminal ? ['--setenv', 'TERM', 'xterm'] : [])],
    ...Object.entries(spec.env).map(([name, value]) => ['--setenv', name, value]),
  ].flat();
}

/** The container's command; a working directory that bubblewrap cannot be trusted with is entered afterwards. */
export function containerCommand(spec: ContainerSpec): readonly string[] {
  return isFixedWorkingDir(spec) ? spec.command : [...enterFolder(spec.workingDir), ...spec.command];
}

/** Whether nobody but us can change where the working directory leads to before it is entered. */
function isFixedWorkingDir({ workingDir, mounts }: ContainerSpec): boolean {
  return !isCreatedBySandbox(workingDir) && !mounts.some(({ target }) => workingDir.startsWith(`${target}/`));
}

/** Arguments as bubblewrap reads them from a descriptor; throws when one would be read as several. */
export function separatedByNul(words: readonly string[]): string {
  const broken = words.find((word) => word.includes('\0'));
  if (broken !== undefined) {
    throw new ContainerConfigError(
      `${JSON.stringify(broken)} contains a NUL character, which no variable or path can have`,
    );
  }
  return words.map((word) => `${word}\0`).join('');
}
