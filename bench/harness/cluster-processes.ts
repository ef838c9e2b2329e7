// SPDX-License-Identifier: Apache-2.0
import { readdir, readFile, readlink } from 'node:fs/promises';

/** A process with its CPU time and memory. */
export interface ProcessUsage {
  pid: number;
  name: string;
  /** CPU time in seconds, including that of ended children. */
  seconds: number;
  /** Resident memory in MiB. */
  memory: number;
}

/** Jiffies a second in /proc, on every Linux that Node runs on. */
const ticks = 100;

/**
 * The processes of a `forge up` without those of its pods: its descendants in the pid namespace of the host and in that
 * of the node; each container has its own.
 */
export async function clusterProcesses(forge: number): Promise<ProcessUsage[]> {
  const all = await processes();
  const host = all.get(forge)?.namespace;
  const own: ProcessUsage[] = [];
  let nodeNamespace: string | undefined;
  for (const queue = [forge]; queue.length > 0;) {
    const found = all.get(queue.shift() ?? 0);
    if (found === undefined) continue;
    const isInner = found.namespace !== host;
    if (isInner) nodeNamespace ??= found.namespace;
    if (isInner && found.namespace !== nodeNamespace) continue;
    own.push(found);
    queue.push(...[...all.values()].filter(({ parent }) => parent === found.pid).map(({ pid }) => pid));
  }
  return own;
}

interface Process extends ProcessUsage {
  parent: number;
  namespace: string;
}

async function processes(): Promise<Map<number, Process>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // A process may end while it is read.
  const found = await Promise.all(pids.map((pid) => read(Number(pid)).catch(() => undefined)));
  return new Map(found.flatMap((each) => (each === undefined ? [] : [[each.pid, each]])));
}

async function read(pid: number): Promise<Process> {
  const [stat, status, namespace] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
    readlink(`/proc/${pid}/ns/pid`),
  ]);
  // The name is in parentheses and may contain spaces and parentheses.
  const [name, rest] = [
    stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
    stat.slice(stat.lastIndexOf(')') + 2),
  ];
  const fields = rest.split(' ').map(Number);
  const [parent = 0, times] = [fields[1], fields.slice(11, 15)];
  return {
    pid,
    name,
    parent,
    namespace,
    seconds: times.reduce((sum, each) => sum + each, 0) / ticks,
    memory: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024,
  };
}
