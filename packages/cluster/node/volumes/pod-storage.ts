// SPDX-License-Identifier: Apache-2.0
import { mkdir, rm, rmdir } from 'node:fs/promises';
import type { PodSpec } from '@forge/kube/generated/types.ts';
import { runCommand } from '../../host/run-command.ts';
import type { Toolbox } from '../../host/toolbox.ts';
import { runMounts, type Mount } from '../mounts/run-mounts.ts';
import { tmpfsOptions, tmpfsSizes, usedBytes } from '../mounts/tmpfs.ts';
import { volumeFolder } from './pod-volumes.ts';
import { emptyDirSizes } from './storage-sizes.ts';

/** The storage of pods. */
export interface PodStorage {
  /** Creates a pod's folder, with one for each emptyDir. */
  create(folder: string, spec: PodSpec): Promise<void>;
  /** What the pod has written there, in bytes. */
  used(folder: string, spec: PodSpec): Promise<number>;
  /** Removes a pod's folder and everything in it, at once. */
  remove(folder: string): Promise<void>;
}

/** Stores pods in memory: each pod, and each of its emptyDirs, has its own tmpfs with a limited size. */
export function tmpfsStorage(tools: Toolbox): PodStorage {
  return {
    async create(folder, spec) {
      await mkdir(folder, { recursive: true });
      const emptyDirs = [...emptyDirSizes(spec)].map(([name, size]): Mount => {
        const options = `${tmpfsOptions(size, '0777')},X-mount.mkdir`;
        return { source: 'tmpfs', target: volumeFolder(folder, name), type: 'tmpfs', options };
      });
      const own = { source: 'tmpfs', target: folder, type: 'tmpfs', options: tmpfsOptions(tmpfsSizes.pod, '0700') };
      const table = `${folder}.mounts`;
      await runMounts([own, ...emptyDirs], [], { table, tools });
      await rm(table);
    },
    used: (folder, spec) =>
      usedBytes([
        [folder, tmpfsSizes.pod],
        ...[...emptyDirSizes(spec)].map(([name, size]) => [volumeFolder(folder, name), size] as const),
      ]),
    async remove(folder) {
      // --lazy also unmounts everything mounted in it.
      await runCommand([...tools.umount, '--lazy', folder]);
      await rmdir(folder);
    },
  };
}
