// SPDX-License-Identifier: Apache-2.0
import type { ChildProcess } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { usageOf } from './process-usage.ts';

/** The resident memory of a process in MiB once it is idle. */
export async function memoryAtRest({ pid }: ChildProcess): Promise<number> {
  await setTimeout(500);
  return (await usageOf(Number(pid))).memory;
}
