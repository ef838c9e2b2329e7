// SPDX-License-Identifier: Apache-2.0
import { runCommand } from '../../host/run-command.ts';
import type { Toolbox } from '../../host/toolbox.ts';

/** The most processes and threads of a container: the kernel counts them by user namespace, and each has its own. */
export const mostProcesses = 4096;

/** Limits the processes of a container, from its first one on. */
export async function limitProcesses({ prlimit }: Toolbox, pid: number): Promise<void> {
  await runCommand([...prlimit, '--pid', String(pid), `--nproc=${mostProcesses}:${mostProcesses}`], {
    name: 'prlimit',
  });
}
