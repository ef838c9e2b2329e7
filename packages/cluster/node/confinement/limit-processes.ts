// SPDX-License-Identifier: Apache-2.0
import { runCommand } from '../../host/run-command.ts';
import type { Toolbox } from '../../host/toolbox.ts';

/**
 * The most processes and threads of a container. The kernel counts them by user namespace, and each container has one.
 */
export const maxProcesses = 4096;

/** Limits the processes of a container; `pid` is its first one. */
export async function limitProcesses({ prlimit }: Toolbox, pid: number): Promise<void> {
  await runCommand([...prlimit, '--pid', String(pid), `--nproc=${maxProcesses}:${maxProcesses}`], {
    name: 'prlimit',
  });
}
