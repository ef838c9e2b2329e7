// SPDX-License-Identifier: Apache-2.0
import { readdir, readFile } from 'node:fs/promises';
import { podNameVariable } from './manifests.ts';

/** The pid of this program in a pod, as seen from the host. */
export async function pidIn(pod: string, program: string): Promise<number> {
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    // Processes may exit, and those of other users cannot be read.
    const [name, variables] = await Promise.all(
      ['comm', 'environ'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    );
    if (name?.trim() === program && variables?.split('\0').includes(`${podNameVariable}=${pod}`)) return Number(pid);
  }
  throw new Error(`pod ${pod} has no process ${program}`);
}
