// SPDX-License-Identifier: Apache-2.0
import { readdir } from 'node:fs/promises';
import { usageOf, type ProcessUsage } from './process-usage.ts';

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

async function processes(): Promise<Map<number, ProcessUsage>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // A process may end while it is read.
  const found = await Promise.all(pids.map((pid) => usageOf(Number(pid)).catch(() => undefined)));
  return new Map(found.flatMap((each) => (each === undefined ? [] : [[each.pid, each]])));
}
