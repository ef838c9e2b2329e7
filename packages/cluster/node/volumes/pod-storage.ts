// SPDX-License-Identifier: Apache-2.0
import { mkdir, rm, rmdir } from 'node:fs/promises';
import type { Volume } from '@forge/kube/generated/types.ts';
import { nanosOf } from '@forge/kube/objects/quantity.ts';
import { runCommand } from '../../host/run-command.ts';
import type { Toolbox } from '../../host/toolbox.ts';
import { runMounts, type Mount } from '../mounts/run-mounts.ts';
import { tmpfsOptions, tmpfsSizes } from '../mounts/tmpfs.ts';
import { volumeFolder } from './pod-volumes.ts';

/** The storage of pods. */
export interface PodStorage {
  /** Creates a pod's folder, with one for each emptyDir. */
  create(folder: string, volumes: readonly Volume[]): Promise<void>;
  /** Removes a pod's folder and everything in it, at once. */
  remove(folder: string): Promise<void>;
}

/** An emptyDir on disk can exceed its limit by a tenth, and at least by this many bytes; its pod is then evicted. */
const minTolerance = 1024 * 1024;

/** Stores pods in memory: each pod, and each of its emptyDirs, has its own tmpfs with a limited size. */
export function tmpfsStorage(tools: Toolbox): PodStorage {
  return {
    async create(folder, volumes) {
      await mkdir(folder, { recursive: true });
      const emptyDirs = [...emptyDirSizes(volumes)].map(([name, size]): Mount => {
        const options = `${tmpfsOptions(size, '0777')},X-mount.mkdir`;
        return { source: 'tmpfs', target: volumeFolder(folder, name), type: 'tmpfs', options };
      });
      const own = { source: 'tmpfs', target: folder, type: 'tmpfs', options: tmpfsOptions(tmpfsSizes.pod, '0700') };
      const table = `${folder}.mounts`;
      await runMounts([own, ...emptyDirs], [], { table, tools });
      await rm(table);
    },
    async remove(folder) {
      // --lazy also unmounts everything mounted in it.
      await runCommand([...tools.umount, '--lazy', folder]);
      await rmdir(folder);
    },
  };
}

/**
 * The sizes of a pod's emptyDirs in bytes, by their names: together no more than one without a limit has, whatever their
 * limits are. Those that want little have it; the others share the rest.
 */
export function emptyDirSizes(volumes: readonly Volume[]): ReadonlyMap<string, number> {
  const wanted = volumes
    .flatMap(({ name, emptyDir }) => (emptyDir ? [{ name, size: sizeOf(emptyDir) }] : []))
    .toSorted((one, other) => one.size - other.size);
  const sizes = new Map<string, number>();
  let left: number = tmpfsSizes.unlimited;
  for (const [index, { name, size }] of wanted.entries()) {
    const share = Math.min(size, Math.floor(left / (wanted.length - index)));
    sizes.set(name, share);
    left -= share;
  }
  return sizes;
}

/** The size that an emptyDir has alone. */
function sizeOf({ medium, sizeLimit }: NonNullable<Volume['emptyDir']>): number {
  const limit = Number((nanosOf(String(sizeLimit ?? '0')) ?? 0n) / 1_000_000_000n);
  if (limit <= 0) return tmpfsSizes.unlimited;
  return medium === 'Memory' ? limit : limit + Math.max(Math.ceil(limit / 10), minTolerance);
}
