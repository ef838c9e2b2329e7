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
  /** Removes it with everything in it, at once. */
  remove(folder: string): Promise<void>;
}

/** An emptyDir on disk can exceed its limit, and its pod is evicted then: by a tenth here, and at least by this. */
const leastTolerance = 1024 * 1024;

/** Stores pods in memory: each pod, and each of its emptyDirs, in a file system of its own with a limited size. */
export function tmpfsStorage(tools: Toolbox): PodStorage {
  return {
    async create(folder, volumes) {
      await mkdir(folder, { recursive: true });
      const emptyDirs = volumes.flatMap(({ name, emptyDir }): Mount[] => {
        if (!emptyDir) return [];
        const options = `${tmpfsOptions(sizeOf(emptyDir), '0777')},X-mount.mkdir`;
        return [{ source: 'tmpfs', target: volumeFolder(folder, name), type: 'tmpfs', options }];
      });
      const own = { source: 'tmpfs', target: folder, type: 'tmpfs', options: tmpfsOptions(tmpfsSizes.pod, '0700') };
      const table = `${folder}.mounts`;
      await runMounts([own, ...emptyDirs], [], { table, tools });
      await rm(table);
    },
    async remove(folder) {
      // Lazily: with it, everything mounted in it.
      await runCommand([...tools.umount, '--lazy', folder]);
      await rmdir(folder);
    },
  };
}

/** The size of an emptyDir in bytes. */
export function sizeOf({ medium, sizeLimit }: NonNullable<Volume['emptyDir']>): number {
  const limit = Number((nanosOf(String(sizeLimit ?? '0')) ?? 0n) / 1_000_000_000n);
  if (limit <= 0) return tmpfsSizes.unlimited;
  return medium === 'Memory' ? limit : limit + Math.max(Math.ceil(limit / 10), leastTolerance);
}
