// SPDX-License-Identifier: Apache-2.0
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResourceRequirements } from '@forge/kube/generated/types.ts';
import { nanosOf } from '@forge/kube/objects/quantity.ts';
import { enterGroups, removeEmptyGroup, type Cgroup, type Controller } from '../../host/cgroups.ts';
import { mostProcesses } from './limit-processes.ts';

/** The control group of a container. */
export interface ContainerCgroup {
  /** A command prefix that enters it. */
  readonly enter: readonly string[];
  /** Whether a process in it was killed because it had no more memory. */
  wasOutOfMemory(): Promise<boolean>;
  /** Removes it; the container has exited. */
  remove(): Promise<void>;
}

/** As with the kubelet: microseconds, and the least that the kernel accepts. */
const period = 100_000;
const leastQuota = 1000;
const leastShares = 2;

/** A container without a group of its own: nothing of its resources is limited. */
export const noCgroup: ContainerCgroup = {
  enter: [],
  wasOutOfMemory: () => Promise.resolve(false),
  remove: () => Promise.resolve(),
};

/** Creates the control group of a container, with its limits of processors, memory and processes. */
export async function containerCgroup(
  { version, folders }: Cgroup,
  id: string,
  resources: ResourceRequirements | undefined,
): Promise<ContainerCgroup> {
  const own = Object.entries(folders).map(([controller, folder]) => [controller, join(folder, id)] as const);
  const files = version === 1 ? filesOfVersion1(resources) : filesOfVersion2(resources);
  for (const [controller, folder] of own) {
    await mkdir(folder, { recursive: true });
    const settings = files[controller as Controller];
    for (const [name, value] of Object.entries(settings)) await writeFile(join(folder, name), String(value));
  }
  const unique = [...new Set(own.map(([, folder]) => folder))];
  const memory = folders.memory === undefined ? undefined : join(folders.memory, id);
  const events = version === 1 ? 'memory.oom_control' : 'memory.events';
  return {
    enter: enterGroups(unique),
    async wasOutOfMemory() {
      const text = memory === undefined ? '' : await readFile(join(memory, events), 'utf8').catch(() => '');
      return /^oom_kill [1-9]/m.test(text);
    },
    async remove() {
      for (const folder of unique) await removeEmptyGroup(folder);
    },
  };
}

type Files = Readonly<Record<Controller, Readonly<Record<string, number | string>>>>;

function filesOfVersion1(resources: ResourceRequirements | undefined): Files {
  const { shares, quota, memory } = valuesOf(resources);
  return {
    cpu: {
      'cpu.shares': shares,
      ...(quota !== undefined && { 'cpu.cfs_period_us': period, 'cpu.cfs_quota_us': quota }),
    },
    memory: memory === undefined ? {} : { 'memory.limit_in_bytes': memory },
    pids: { 'pids.max': mostProcesses },
  };
}

function filesOfVersion2(resources: ResourceRequirements | undefined): Files {
  const { shares, quota, memory } = valuesOf(resources);
  return {
    // From the range of 2 to 262,144 to that of 1 to 10,000.
    cpu: {
      'cpu.weight': Math.floor(1 + ((shares - 2) * 9999) / 262_142),
      ...(quota !== undefined && { 'cpu.max': `${quota} ${period}` }),
    },
    memory: memory === undefined ? {} : { 'memory.max': memory },
    pids: { 'pids.max': mostProcesses },
  };
}

/** A quantity as a number. */
function amount(quantity: string | number | undefined): number | undefined {
  return quantity === undefined ? undefined : Number(nanosOf(String(quantity))) / 1e9;
}

function valuesOf({ limits, requests }: ResourceRequirements = {}) {
  const limit = amount(limits?.['cpu']);
  const request = amount(requests?.['cpu']) ?? limit ?? 0;
  return {
    shares: Math.max(leastShares, Math.floor(request * 1024)),
    quota: limit === undefined ? undefined : Math.max(leastQuota, Math.floor(limit * period)),
    memory: amount(limits?.['memory']),
  };
}
