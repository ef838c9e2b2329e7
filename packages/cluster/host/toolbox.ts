// SPDX-License-Identifier: Apache-2.0
import { hostCommand } from './host-command.ts';

const programs = ['bwrap', 'ip', 'mount', 'nsenter', 'umount', 'unshare'] as const;

/** The command that starts each program the node works with, whatever the host has installed. */
export type Toolbox = Readonly<Record<(typeof programs)[number], readonly string[]>> & {
  /** The root folder of the tools image. */
  readonly root: string;
};

/** The programs of the tools image. */
export function toolbox(root: string): Toolbox {
  const commands = programs.map((name) => [name, hostCommand(root, `usr/bin/${name}`)]);
  return { root, ...(Object.fromEntries(commands) as Record<(typeof programs)[number], string[]>) };
}

/** Where a container finds the tools image, read-only: some things can only be done by a process inside it. */
export const toolsInside = '/dev/.forge';

/** The command that, inside a container, runs another one in a folder. */
export function enterFolder(folder: string): string[] {
  return [...hostCommand(toolsInside, 'usr/bin/unshare'), `--wd=${folder}`, '--'];
}

/** The command that, inside a container, runs another one without the capabilities that entering it gives to root. */
export function withoutCapabilities({ uid }: { uid: number }): string[] {
  // Others lose them by themselves, and must not drop what they do not have.
  const drop = uid === 0 ? ['--bounding-set=-all', '--inh-caps=-all'] : [];
  return [...hostCommand(toolsInside, 'usr/bin/setpriv'), ...drop, '--no-new-privs', '--'];
}
