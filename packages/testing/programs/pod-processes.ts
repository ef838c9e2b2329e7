// SPDX-License-Identifier: Apache-2.0
import { readdir, readFile } from 'node:fs/promises';

/** A process of a pod of this test's cluster. */
export interface PodProcess {
  pid: number;
  command: string[];
}

/** The processes below this one: the node and everything in its pods. */
export async function ownProcesses(): Promise<PodProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map(await Promise.all(pids.map(async (pid) => [pid, await parentOf(pid)] as const)));
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (pid === process.pid || isOurs(parents.get(pid)));
  const found = pids.filter((pid) => pid !== process.pid && isOurs(pid));
  return await Promise.all(found.map(async (pid) => ({ pid, command: await words(pid, 'cmdline') })));
}

/** The processes of a pod that run this program. */
export async function processesOf(pod: string, program: string): Promise<PodProcess[]> {
  const candidates = (await ownProcesses()).filter(({ command }) => command[0]?.endsWith(program) === true);
  const inPod = await Promise.all(
    candidates.map(async ({ pid }) => (await words(pid, 'environ')).includes(`HOSTNAME=${pod}`)),
  );
  return candidates.filter((_, index) => inPod[index]);
}

/** The names of the files in a folder of a pod, as seen by its processes of this program. */
export async function filesIn(pod: string, program: string, folder: string): Promise<string[]> {
  const [found] = await processesOf(pod, program);
  if (found === undefined) throw new Error(`no process of pod ${pod} runs ${program}`);
  return await readdir(`/proc/${found.pid}/root${folder}`);
}

/** Sends a signal to the processes of a pod that run this program; throws when there is none. */
export async function signalPod(pod: string, program: string, signal: NodeJS.Signals): Promise<void> {
  const found = await processesOf(pod, program);
  if (found.length === 0) throw new Error(`no process of pod ${pod} runs ${program}`);
  for (const { pid } of found) process.kill(pid, signal);
}

async function parentOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The name of the program, in parentheses, may contain anything.
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** Words of a file of /proc; none when the process has ended. */
async function words(pid: number, file: 'cmdline' | 'environ'): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  return text.split('\0').filter((word) => word !== '');
}
