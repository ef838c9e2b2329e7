// SPDX-License-Identifier: Apache-2.0
import type { Toolbox } from '../../host/toolbox.ts';

/** All namespaces of a container's first process. */
export const allNamespaces = ['user', 'mount', 'pid', 'net', 'ipc', 'uts'] as const;

/** A command that runs another one inside namespaces of a process. */
export function enterContainer(
  { nsenter }: Toolbox,
  pid: number,
  namespaces: readonly (typeof allNamespaces)[number][],
  command: readonly string[],
): string[] {
  const chosen = namespaces.map((name) => `--${name}`);
  // The node's user is the only one mapped inside: there is no other to switch to.
  return [...nsenter, '--target', String(pid), ...chosen, '--preserve-credentials', '--wd', '--', ...command];
}

/** Variables that change what a program loads or runs before its own code. */
const unsafe = /^(?:LD_.*|MALLOC_.*|GLIBC_TUNABLES|GCONV_PATH|LOCPATH|NLSPATH|LANGUAGE|SHELL)$/;

/** The container's environment without variables that affect programs of the node. */
export function innerEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !unsafe.test(name)));
}
