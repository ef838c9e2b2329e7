// SPDX-License-Identifier: Apache-2.0
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { currentFolder, removeEmptyGroup, type Cgroup } from './cgroups.ts';

/** A control group for the processes of the cluster itself, beside that of the pods. */
export interface OwnGroup {
  folder: string;
  /** Where this process was before. */
  previous: string;
}

/**
 * Creates the group, with as much processor time as all pods together have when both want it, and moves this process
 * there: a pod that computes without end would otherwise starve the API server, and the node that probes all others.
 * Undefined where processor time cannot be divided.
 */
export async function createOwnGroup(
  { version, folders: { cpu } }: Cgroup,
  current = currentFolder,
): Promise<OwnGroup | undefined> {
  if (cpu === undefined) return undefined;
  const folder = `${cpu}-own`;
  const previous = await current(version, 'cpu');
  const weight = version === 1 ? 'cpu.shares' : 'cpu.weight';
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, weight), await readFile(join(cpu, weight)));
  await enterGroup(folder);
  return { folder, previous };
}

/** Moves this process back, and removes the group. */
export async function removeOwnGroup({ folder, previous }: OwnGroup): Promise<void> {
  await enterGroup(previous);
  await removeEmptyGroup(folder);
}

/** Moves this process with all of its threads to a group. */
export async function enterGroup(folder: string): Promise<void> {
  await writeFile(join(folder, 'cgroup.procs'), '0');
}
