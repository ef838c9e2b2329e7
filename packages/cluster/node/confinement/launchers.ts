// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { confined, filteredLater, unconfined, type Limits } from './confine.ts';
import { maxProcesses } from './limit-processes.ts';
import type { Machine } from './machine.ts';
import { seccompFilter } from './seccomp-filter.ts';

/** Programs that start the processes of containers, each with its own keyring, limits and filter. */
export interface Launchers {
  /** The folder that is mounted in containers at {@link launchersInside}. */
  readonly folder: string;
  /** The seccomp filter, for the program that creates the sandbox. */
  readonly filter: Buffer;
}

/** Where the launchers are mounted in a container, read-only. */
export const launchersInside = '/dev/.forge-launch';

/**
 * The most open files of a process of a container; with more, programs that close each possible descriptor are slow.
 */
const maxFiles = 65_536;

/** Writes the launchers to a folder on a file system without `noexec`. */
export async function writeLaunchers(folder: string, machine: Machine, openFiles: number): Promise<Launchers> {
  const limits: Limits = { openFiles: Math.min(maxFiles, openFiles) };
  // Outside the container, the limit would count the processes of all containers.
  const inside: Limits = { ...limits, processes: maxProcesses };
  const files = {
    'around-confined': filteredLater(machine, limits),
    'around-unconfined': unconfined(machine, limits),
    confined: confined(machine, inside),
    unconfined: unconfined(machine, inside),
  };
  await Promise.all(
    Object.entries(files).map(([name, program]) => writeFile(join(folder, name), program, { mode: 0o755 })),
  );
  return { folder, filter: seccompFilter(machine) };
}

/** The bubblewrap arguments that mount the launchers in a container. */
export function mountLaunchers({ folder }: Launchers): string[] {
  return ['--ro-bind', folder, launchersInside];
}

/** The launcher of the program that creates the sandbox of a container. */
export function aroundSandbox({ folder }: Launchers, isConfined: boolean): string {
  return join(folder, isConfined ? 'around-confined' : 'around-unconfined');
}

/** The launcher of further commands inside a container. */
export function insideContainer(isConfined: boolean): string {
  return join(launchersInside, isConfined ? 'confined' : 'unconfined');
}
