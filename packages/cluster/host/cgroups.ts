// SPDX-License-Identifier: Apache-2.0
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { runCommand } from './run-command.ts';

/** The controllers that limit and measure pods; in version 2, `cpu` measures, too. */
const controllers = ['cpu', 'cpuacct', 'memory', 'pids'] as const;
export type Controller = (typeof controllers)[number];

/** A control group for all pods of a node: the folder of each controller that can be used. */
export interface Cgroup {
  version: 1 | 2;
  folders: Readonly<Partial<Record<Controller, string>>>;
}

/** The fraction of the machine's memory that all pods together may use. */
const memoryOfPods = 0.9;
const maxRemovals = 50;
const removalDelay = 20;
/** The CPU weight of all pods together relative to another process, for each processor. */
const cpuOfPods = 4;

/**
 * Creates a control group for the pods of a node. Throws when this user may not: it must be root, or a group must be
 * delegated to it.
 *
 * Caveats: the kernel does not remove it when this process is killed; the next node of this user does.
 */
export async function createCgroup(owner: number): Promise<Cgroup> {
  const [own, mounts] = await Promise.all([
    readFile('/proc/self/cgroup', 'utf8'),
    readFile('/proc/self/mounts', 'utf8'),
  ]);
  const name = `forge-${owner}`;
  const unified = await unifiedFolder(own, mounts, name).catch(() => undefined);
  const cgroup = unified ?? (await separateFolders(own, mounts, name));
  try {
    await limitAll(cgroup);
    for (const folder of foldersOf(cgroup)) await tryEntering(join(folder, 'try'));
    return cgroup;
  } catch (error) {
    await removeCgroup(cgroup);
    throw error;
  }
}

/** Removes a control group whose processes have exited, and the groups of nodes that were killed. */
export async function removeCgroup(cgroup: Cgroup): Promise<void> {
  for (const folder of foldersOf(cgroup)) {
    await removeGroup(folder).catch(() => undefined);
    await removeAbandoned(dirname(folder));
  }
}

/** Removes a group that has no child groups. Its last processes may still be exiting. */
export async function removeEmptyGroup(folder: string): Promise<void> {
  for (let left = maxRemovals; left > 0; left -= 1) {
    const isBusy = await rmdir(folder).then(
      () => false,
      ({ code }: NodeJS.ErrnoException) => code === 'EBUSY',
    );
    if (!isBusy) return;
    await setTimeout(removalDelay);
  }
}

/** A command prefix that enters groups. */
export function enterGroups(folders: readonly string[]): string[] {
  const script = 'while [ "$1" != -- ]; do echo 0 > "$1/cgroup.procs" || exit; shift; done; shift; exec "$@"';
  return ['/bin/sh', '-c', script, 'sh', ...folders, '--'];
}

/** The folders of a control group; in version 2, all controllers have the same. */
function foldersOf({ folders }: Cgroup): string[] {
  return [...new Set(Object.values(folders))];
}

async function tryEntering(folder: string): Promise<void> {
  await mkdir(folder);
  try {
    await runCommand([...enterGroups([folder]), 'true'], { name: `entering ${folder}` });
  } finally {
    await removeEmptyGroup(folder);
  }
}

async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, owner] = /^forge-(\d+)(?:-own)?$/.exec(name) ?? [];
    if (owner === undefined || (await exists(`/proc/${owner}`))) continue;
    await removeGroup(join(parent, name)).catch(() => undefined);
  }
}

async function removeGroup(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await removeEmptyGroup(join(folder, entry.name));
  await removeEmptyGroup(folder);
}

/** The group of this process in the hierarchy of a controller. */
export async function currentFolder(version: Cgroup['version'], controller: Controller): Promise<string> {
  const [own, mounts] = await Promise.all([
    readFile('/proc/self/cgroup', 'utf8'),
    readFile('/proc/self/mounts', 'utf8'),
  ]);
  return version === 1 ? folderOfVersion1(own, mounts, controller) : folderOfVersion2(own, mounts);
}

function folderOfVersion1(own: string, mounts: string, controller: Controller): string {
  const [, path = '/'] = new RegExp(String.raw`^\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(.*)$`, 'm').exec(own) ?? [];
  return join(mountOf(mounts, 'cgroup', controller), path);
}

function folderOfVersion2(own: string, mounts: string): string {
  const [, path = '/'] = /^0::(.*)$/m.exec(own) ?? [];
  return join(mountOf(mounts, 'cgroup2'), path);
}

/** Version 2: in the nearest group at or above ours that gives controllers to its groups, and belongs to this user. */
async function unifiedFolder(own: string, mounts: string, name: string): Promise<Cgroup> {
  const root = mountOf(mounts, 'cgroup2');
  for (let folder = folderOfVersion2(own, mounts); folder.startsWith(root); folder = dirname(folder)) {
    const given = (await readFile(join(folder, 'cgroup.subtree_control'), 'utf8').catch(() => '')).split(/\s/);
    const usable = controllers.filter((each) => given.includes(each));
    const group = join(folder, name);
    const isMade =
      usable.length > 0 &&
      (await mkdir(group).then(
        () => true,
        () => false,
      ));
    if (!isMade) continue;
    await writeFile(join(group, 'cgroup.subtree_control'), usable.map((each) => `+${each}`).join(' '));
    return { version: 2, folders: Object.fromEntries(usable.map((each) => [each, group])) };
  }
  throw new Error('no control group in which this user may limit others');
}

/** Version 1: a group below our own in the hierarchy of each controller. */
async function separateFolders(own: string, mounts: string, name: string): Promise<Cgroup> {
  const folders: Partial<Record<Controller, string>> = {};
  const problems: Error[] = [];
  for (const controller of controllers) {
    try {
      const folder = join(folderOfVersion1(own, mounts, controller), name);
      await mkdir(folder, { recursive: true });
      folders[controller] = folder;
    } catch (error) {
      problems.push(error as Error);
    }
  }
  if (Object.keys(folders).length === 0) throw problems[0] ?? new Error('no controllers');
  return { version: 1, folders };
}

/** The mount point of a cgroup file system. */
function mountOf(mounts: string, type: string, option?: string): string {
  const lines = mounts.split('\n').map((line) => line.split(' '));
  const [, folder] =
    lines.find(
      ([, , kind, options = '']) => kind === type && (option === undefined || options.split(',').includes(option)),
    ) ?? [];
  if (folder === undefined) throw new Error(`${[type, option].filter(Boolean).join(' ')} is not mounted`);
  return folder;
}

/** Reserves part of the memory for the host, and guarantees pods their share of CPU when many other processes run. */
async function limitAll({ version, folders: { cpu, memory } }: Cgroup): Promise<void> {
  const times = cpuOfPods * availableParallelism();
  const [shares, most, limit] =
    version === 1
      ? (['cpu.shares', Math.min(262_144, 1024 * times), 'memory.limit_in_bytes'] as const)
      : (['cpu.weight', Math.min(10_000, 100 * times), 'memory.max'] as const);
  if (cpu !== undefined) await writeFile(join(cpu, shares), String(most));
  if (memory !== undefined) await writeFile(join(memory, limit), String(Math.floor(totalmem() * memoryOfPods)));
}

async function exists(path: string): Promise<boolean> {
  return readdir(path).then(
    () => true,
    () => false,
  );
}
