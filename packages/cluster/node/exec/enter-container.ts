// SPDX-License-Identifier: Apache-2.0
import type { Toolbox } from '../../host/toolbox.ts';

/** Among which processes, and as whom: that of the container's first process. */
export const allNamespaces = ['user', 'mount', 'pid', 'net', 'ipc', 'uts'] as const;

/** The command that runs another one inside namespaces of a process. */
export function enterContainer(
  { nsenter }: Toolbox,
  pid: number,
  namespaces: readonly (typeof allNamespaces)[number][],
  command: readonly string[],
): string[] {
  const chosen = namespaces.map((name) => `--${name}`);
  // Our user is the only one there is inside: there is nobody else to become.
  return [...nsenter, '--target', String(pid), ...chosen, '--preserve-credentials', '--wd', '--', ...command];
}

/** Variables by which whoever sets them changes what a program loads, reads or calls before it does anything else. */
const unsafe = /^(?:LD_.*|MALLOC_.*|GLIBC_TUNABLES|GCONV_PATH|LOCPATH|NLSPATH|LANGUAGE|SHELL)$/;

/** The container's environment without what would change how our own programs run before the command does. */
export function innerEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !unsafe.test(name)));
}
