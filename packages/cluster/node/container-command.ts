// SPDX-License-Identifier: Apache-2.0
import type { ContainerUser } from './container-user.ts';

/** A file or folder of the host that a container sees. */
export interface BindMount {
  source: string;
  target: string;
  readOnly: boolean;
}

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

/** Everything bubblewrap is told, except the command; `root` is the container's own writable view of the image. */
export function sandboxArguments(root: string, spec: ContainerSpec, atTerminal = false): string[] {
  return [
    // One user is mapped onto ours: whoever the container's processes are, they can do no more than we.
    ['--unshare-user', '--uid', String(spec.user.uid), '--gid', String(spec.user.gid)],
    ['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--hostname', spec.hostname],
    // As in any container, the command itself is process 1 and gets the signals.
    ['--as-pid-1', '--die-with-parent', '--cap-drop', 'ALL'],
    // Only a terminal of its own may send it signals.
    atTerminal ? [] : ['--new-session'],
    ['--bind', root, '/', '--proc', '/proc', '--dev', '/dev'],
    ...spec.mounts.map(({ source, target, readOnly }) => [readOnly ? '--ro-bind' : '--bind', source, target]),
    ['--dir', spec.workingDir, '--chdir', spec.workingDir],
    spec.readOnlyRoot ? ['--remount-ro', '/'] : [],
    ['--clearenv', ...(atTerminal ? ['--setenv', 'TERM', 'xterm'] : [])],
    ...Object.entries(spec.env).map(([name, value]) => ['--setenv', name, value]),
  ].flat();
}

/** What the overlay file system is told: the image below, what the container writes above. */
export function overlayOptions(image: string, layer: { upper: string; work: string }): string {
  const folders = { lowerdir: image, upperdir: layer.upper, workdir: layer.work };
  const options = Object.entries(folders).map(
    ([name, path]) => `${name}=${path.replaceAll(/[\\:,]/g, String.raw`\$&`)}`,
  );
  return [...options, 'userxattr'].join(',');
}
