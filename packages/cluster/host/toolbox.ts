// SPDX-License-Identifier: Apache-2.0
import { hostCommand } from './host-command.ts';

/** The programs by name, with their folder. */
const programs = {
  bwrap: 'usr/bin',
  ip: 'usr/bin',
  mount: 'usr/bin',
  nft: 'usr/sbin',
  nsenter: 'usr/bin',
  prlimit: 'usr/bin',
  umount: 'usr/bin',
  unshare: 'usr/bin',
} as const;

/** The commands of the programs that the node uses, independent of what the host has installed. */
export type Toolbox = Readonly<Record<keyof typeof programs, readonly string[]>> & {
  /** The root folder of the tools image. */
  readonly root: string;
};

/** The programs of the tools image. */
export function toolbox(root: string): Toolbox {
  const commands = Object.entries(programs).map(([name, folder]) => [name, hostCommand(root, `${folder}/${name}`)]);
  return { root, ...(Object.fromEntries(commands) as Record<keyof typeof programs, string[]>) };
}

/** Where the tools image is mounted in a container, read-only: some programs must run inside the container. */
export const toolsInside = '/dev/.forge';

/** A command prefix that, inside a container, changes the working directory. */
export function enterFolder(folder: string): string[] {
  return [...hostCommand(toolsInside, 'usr/bin/nsenter'), `--wd=${folder}`, '--'];
}

/** A command prefix that, inside a container, drops the capabilities that root gets by entering it. */
export function withoutCapabilities({ uid }: { uid: number }): string[] {
  // Other users lose them anyway, and have no permission to drop them.
  const drop = uid === 0 ? ['--bounding-set=-all', '--inh-caps=-all'] : [];
  return [...hostCommand(toolsInside, 'usr/bin/setpriv'), ...drop, '--no-new-privs', '--'];
}
