// SPDX-License-Identifier: Apache-2.0
import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** The resident memory of a process in MiB once it is idle. */
export async function memoryAtRest({ pid }: ChildProcess): Promise<number> {
  await setTimeout(500);
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
