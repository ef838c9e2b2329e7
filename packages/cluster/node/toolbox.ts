// SPDX-License-Identifier: Apache-2.0
import { hostCommand } from '../images/host-command.ts';

const programs = ['bwrap', 'ip', 'mount', 'nsenter', 'umount', 'unshare'] as const;

/** The command that starts each program the node works with, whatever the host has installed. */
export type Toolbox = Readonly<Record<(typeof programs)[number], readonly string[]>>;

/** The programs of the tools image. */
export function toolbox(root: string): Toolbox {
  return Object.fromEntries(programs.map((name) => [name, hostCommand(root, `usr/bin/${name}`)])) as Record<
    (typeof programs)[number],
    string[]
  >;
}
