// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Runs `work` while no other process holds the lock on `file`.
 *
 * The lock is held by a child process that lives as long as its stdin: it is released when this process exits, also
 * after kill -9.
 */
export async function withFileLock<T>(
  file: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(dirname(file), { recursive: true });
  const holder = spawn('flock', [file, 'sh', '-c', 'echo held && exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    signal,
  });
  const closed = once(holder, 'close');
  try {
    const held = await Promise.race([once(holder.stdout, 'data'), closed.then(() => undefined)]);
    if (held === undefined)
      throw new Error(`the lock on ${file} was not granted: flock exited with ${holder.exitCode}`);
    return await work();
  } finally {
    holder.stdin.end();
    await closed.catch(() => undefined);
  }
}
