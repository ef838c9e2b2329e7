// SPDX-License-Identifier: Apache-2.0
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResourceRequirements } from '@forge/kube/generated/types.ts';
import { nanosOf } from '@forge/kube/objects/quantity.ts';
import { enterGroups, removeEmptyGroup, type Cgroup, type Controller } from '../../host/cgroups.ts';
import type { MeasuredContainer } from './let-others-first.ts';
import { maxProcesses } from './limit-processes.ts';

/** The control group of a container. */
export interface ContainerCgroup {
  /** A command prefix that enters it. */
  readonly enter: readonly string[];
  /** Undefined when the container has requests or limits of CPU, or when its processor time cannot be measured. */
  readonly measured?: MeasuredContainer | undefined;
  /** Whether a process in it was killed because it ran out of memory. */
  wasOutOfMemory(): Promise<boolean>;
  /** Removes it after the container has exited. */
  remove(): Promise<void>;
}

/** In microseconds, as with the kubelet, and the least quota that the kernel accepts. */
const period = 100_000;
const minQuota = 1000;
/** Much more than the 3 of a group in the background. */
const minShares = 50;

/** For a container without its own group: its resources are not limited. */
export const noCgroup: ContainerCgroup = {
  enter: [],
  wasOutOfMemory: () => Promise.resolve(false),
  remove: () => Promise.resolve(),
};

/** Creates the control group of a container, with its limits of CPU, memory and processes. */
export async function containerCgroup(
  { version, folders }: Cgroup,
  id: string,
  resources: ResourceRequirements | undefined,
): Promise<ContainerCgroup> {
  const own = Object.entries(folders).map(([controller, folder]) => [controller, join(folder, id)] as const);
  const files = version === 1 ? filesOfVersion1(resources) : filesOfVersion2(resources);
  for (const [controller, folder] of own) {
    await mkdir(folder, { recursive: true });
    await writeFiles(folder, files[controller as Controller]);
  }
  const unique = [...new Set(own.map(([, folder]) => folder))];
  const memory = folders.memory === undefined ? undefined : join(folders.memory, id);
  const events = version === 1 ? 'memory.oom_control' : 'memory.events';
  return {
    enter: enterGroups(unique),
    measured: hasCpu(resources) ? undefined : measuredContainer(version, Object.fromEntries(own), files.cpu),
    async wasOutOfMemory() {
      const text = memory === undefined ? '' : await readFile(join(memory, events), 'utf8').catch(() => '');
      return /^oom_kill [1-9]/m.test(text);
    },
    async remove() {
      for (const folder of unique) await removeEmptyGroup(folder);
    },
  };
}

function hasCpu({ limits, requests }: ResourceRequirements = {}): boolean {
  return limits?.['cpu'] !== undefined || requests?.['cpu'] !== undefined;
}

function measuredContainer(
  version: Cgroup['version'],
  { cpu, cpuacct }: Cgroup['folders'],
  weight: Files['cpu'],
): MeasuredContainer | undefined {
  if (cpu === undefined || (version === 1 && cpuacct === undefined)) return undefined;
  return {
    async processorTime() {
      if (version === 1) return Number(await readFile(join(cpuacct ?? '', 'cpuacct.usage'), 'utf8')) / 1e6;
      const [, used] = /^usage_usec (\d+)$/m.exec(await readFile(join(cpu, 'cpu.stat'), 'utf8')) ?? [];
      return Number(used) / 1000;
    },
    async setBackground(isBackground) {
      await writeFile(join(cpu, 'cpu.idle'), isBackground ? '1' : '0');
      // A group that leaves the background has the default weight, not its own.
      if (!isBackground) await writeFiles(cpu, weight);
    },
  };
}

type Files = Readonly<Record<Controller, Readonly<Record<string, number | string>>>>;

async function writeFiles(folder: string, files: Files[Controller]): Promise<void> {
  for (const [name, value] of Object.entries(files)) await writeFile(join(folder, name), String(value));
}

function filesOfVersion1(resources: ResourceRequirements | undefined): Files {
  const { shares, quota, memory } = valuesOf(resources);
  return {
    cpu: {
      'cpu.shares': shares,
      ...(quota !== undefined && { 'cpu.cfs_period_us': period, 'cpu.cfs_quota_us': quota }),
    },
    cpuacct: {},
    memory: memory === undefined ? {} : { 'memory.limit_in_bytes': memory },
    pids: { 'pids.max': maxProcesses },
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
    cpuacct: {},
    memory: memory === undefined ? {} : { 'memory.max': memory },
    pids: { 'pids.max': maxProcesses },
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
    shares: Math.max(minShares, Math.floor(request * 1024)),
    quota: limit === undefined ? undefined : Math.max(minQuota, Math.floor(limit * period)),
    memory: amount(limits?.['memory']),
  };
}
