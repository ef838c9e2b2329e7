// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';

/** The hard limit of open files of this process and its child processes. */
export async function maxOpenFiles(): Promise<number> {
  // Node raises its own limit to the hard one.
  const [, hard = ''] = /^Max open files\s+\S+\s+(\S+)/m.exec(await readFile('/proc/self/limits', 'utf8')) ?? [];
  return hard === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(hard);
}
