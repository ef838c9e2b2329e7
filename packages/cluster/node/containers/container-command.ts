// SPDX-License-Identifier: Apache-2.0
import { enterFolder, toolsInside, type Toolbox } from '../../host/toolbox.ts';
import { mountLaunchers, type Launchers } from '../confinement/launchers.ts';
import { isCreatedBySandbox, rootIn, stagedIn, type BindMount } from '../mounts/compose-root.ts';
import { coverKernelFiles } from '../mounts/kernel-files.ts';
import { ContainerConfigError } from '../references/container-config-error.ts';
import type { ContainerUser } from './container-user.ts';

/** A fully resolved container. */
export interface ContainerSpec {
  user: ContainerUser;
  hostname: string;
  env: Readonly<Record<string, string>>;
  command: readonly string[];
  workingDir: string;
  readOnlyRoot: boolean;
  /** Whether it gets the seccomp filter. */
  confined: boolean;
  /** In mount order: a nested mount comes after its parent. */
  mounts: readonly BindMount[];
}

/** What the sandbox of a container is made of. */
interface SandboxOptions {
  own: string;
  tools: Toolbox;
  launchers: Launchers;
  /** The size of /dev/shm in bytes. */
  sharedMemory: number;
}

/**
 * The bubblewrap arguments of a container, without the command: the root and staged mounts are in its `own` folder.
 *
 * No path in them has a component that a pod can change, since bubblewrap resolves paths in the node's mount namespace.
 */
export function sandboxArguments(
  spec: ContainerSpec,
  { own, tools, launchers, sharedMemory }: SandboxOptions,
  atTerminal = false,
): string[] {
  return [
    // A single user is mapped to the node's: the container's processes have no more rights than the node.
    ['--unshare-user', '--disable-userns', '--uid', String(spec.user.uid), '--gid', String(spec.user.gid)],
    ['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--hostname', spec.hostname],
    // As in any container, the command is process 1 and receives signals.
    ['--as-pid-1', '--die-with-parent', '--cap-drop', 'ALL'],
    // With a new session, no other terminal can send it signals.
    atTerminal ? [] : ['--new-session'],
    ['--bind', rootIn(own), '/', '--proc', '/proc', '--dev', '/dev'],
    ['--perms', '1777', '--size', String(sharedMemory), '--tmpfs', '/dev/shm'],
    ...spec.mounts.map(({ target }, index) =>
      isCreatedBySandbox(target) ? ['--bind', stagedIn(own, index), target] : [],
    ),
    ['--ro-bind', tools.root, toolsInside, ...mountLaunchers(launchers), ...coverKernelFiles()],
    // Read-only, because its size cannot be limited.
    ['--remount-ro', '/dev'],
    ['--chdir', isFixedWorkingDir(spec) ? spec.workingDir : '/'],
    spec.readOnlyRoot ? ['--remount-ro', '/'] : [],
    ['--clearenv', ...(atTerminal ? ['--setenv', 'TERM', 'xterm'] : [])],
    ...Object.entries(spec.env).map(([name, value]) => ['--setenv', name, value]),
  ].flat();
}

/** The container's command; a working directory that bubblewrap cannot enter safely is entered afterwards. */
export function containerCommand(spec: ContainerSpec): readonly string[] {
  return isFixedWorkingDir(spec) ? spec.command : [...enterFolder(spec.workingDir), ...spec.command];
}

/** Whether only the node can change what the working directory resolves to before it is entered. */
function isFixedWorkingDir({ workingDir, mounts }: ContainerSpec): boolean {
  return !isCreatedBySandbox(workingDir) && !mounts.some(({ target }) => workingDir.startsWith(`${target}/`));
}

/** NUL-separated arguments, as bubblewrap reads them from a descriptor; throws when an argument contains NUL. */
export function separatedByNul(words: readonly string[]): string {
  const broken = words.find((word) => word.includes('\0'));
  if (broken !== undefined) {
    throw new ContainerConfigError(
      `${JSON.stringify(broken)} contains a NUL character, which is not allowed in variables and paths`,
    );
  }
  return words.map((word) => `${word}\0`).join('');
}
