// SPDX-License-Identifier: Apache-2.0
import { readFile, readlink } from 'node:fs/promises';

/** A process with its CPU time and memory. */
export interface ProcessUsage {
  pid: number;
  name: string;
  parent: number;
  /** Its pid namespace. */
  namespace: string;
  /** CPU time in seconds, including that of ended children. */
  seconds: number;
  /** Resident memory in MiB. */
  memory: number;
}

/** Jiffies a second in /proc, on every Linux that Node runs on. */
const ticks = 100;

/** What a process uses; rejects when it has ended. */
export async function usageOf(pid: number): Promise<ProcessUsage> {
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
