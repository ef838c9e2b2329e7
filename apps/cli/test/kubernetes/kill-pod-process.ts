// SPDX-License-Identifier: Apache-2.0
import { readdir, readFile } from 'node:fs/promises';

/** Kills a program in a pod, like `kill -9`; returns its process id on this machine. */
export async function killPodProcess(pod: string, program: string): Promise<number> {
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const [environment, command] = await Promise.all([contentOf(entry, 'environ'), contentOf(entry, 'cmdline')]);
    if (!environment.includes(`HOSTNAME=${pod}`) || !command.some((part) => part.endsWith(program))) continue;
    // bubblewrap also has the command in its arguments.
    if (command[0]?.endsWith('bwrap') === true) continue;
    process.kill(Number(entry), 'SIGKILL');
    return Number(entry);
  }
  throw new Error(`No process of pod ${pod} runs ${program}`);
}

/** The parts of a file of /proc; none when the process has exited or belongs to another user. */
async function contentOf(pid: string, name: 'environ' | 'cmdline'): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
  return text.split('\0');
}
