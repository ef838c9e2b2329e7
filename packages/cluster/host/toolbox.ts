// SPDX-License-Identifier: Apache-2.0
import { hostCommand } from './host-command.ts';

const programs = ['bwrap', 'ip', 'mount', 'nsenter', 'umount', 'unshare'] as const;

/** The commands of the programs that the node uses, independent of what the host has installed. */
export type Toolbox = Readonly<Record<(typeof programs)[number], readonly string[]>> & {
  /** The root folder of the tools image. */
  readonly root: string;
};

/** The programs of the tools image. */
export function toolbox(root: string): Toolbox {
  const commands = programs.map((name) => [name, hostCommand(root, `usr/bin/${name}`)]);
  return { root, ...(Object.fromEntries(commands) as Record<(typeof programs)[number], string[]>) };
}

/** Where the tools image is mounted in a container, read-only: some programs must run inside the container. */
export const toolsInside = '/dev/.forge';

/** A command prefix that, inside a container, changes the working directory. */
export function enterFolder(folder: string): string[] {
  return [...hostCommand(toolsInside, 'usr/bin/nsenter'), `--wd=${folder}`, '--'];
}

/** A command prefix that, inside a container, drops the capabilities that root gets by entering it. */
export function withoutCapabilities({ uid }: { uid: number }): string[] {
  // Other users lose them anyway, and cannot drop what they do not have.
  const drop = uid === 0 ? ['--bounding-set=-all', '--inh-caps=-all'] : [];
  return [...hostCommand(toolsInside, 'usr/bin/setpriv'), ...drop, '--no-new-privs', '--'];
}
