// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';

/** The most descriptors that this process may have open, and may allow its child processes. */
export async function mostOpenFiles(): Promise<number> {
  // Node raises its own limit to the hard one.
  const [, hard = ''] = /^Max open files\s+\S+\s+(\S+)/m.exec(await readFile('/proc/self/limits', 'utf8')) ?? [];
  return hard === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(hard);
}
