// SPDX-License-Identifier: Apache-2.0
import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';

const mebibyte = 1024 * 1024;

/** The sizes of tmpfs mounts: each is written by one owner only, so that no other runs out of space. */
export const tmpfsSizes = {
  /** Files that only the node writes. */
  node: 64 * mebibyte,
  /** The generated volumes of a pod, and the few files that its containers can change. */
  pod: 64 * mebibyte,
  /** What the containers and emptyDirs of a pod can write together. */
  storage: Math.floor(totalmem() / 4),
  /** What all pods can write together. */
  allStorage: Math.floor(totalmem() / 2),
  /** What the ephemeral containers of a pod can write together. */
  ephemeral: 256 * mebibyte,
  /** /dev/shm of a container at most, as with container engines. */
  sharedMemory: 64 * mebibyte,
} as const;

/** Files are counted as well, because they occupy memory even when empty. */
const bytesPerFile = 16 * 1024;
const minFiles = 4096;

/** The mount options of a tmpfs of this size. */
export function tmpfsOptions(bytes: number, mode: string): string {
  const files = Math.max(minFiles, Math.floor(bytes / bytesPerFile));
  return `size=${bytes},nr_inodes=${files},mode=${mode}`;
}

/**
 * What the tmpfs mounts at these paths, of these sizes, occupy in bytes. One that is not there occupies nothing: the
 * size tells it from what else may be at its path before it is mounted and after it is unmounted.
 */
export async function usedBytes(sizes: Iterable<readonly [path: string, size: number]>): Promise<number> {
  const used = await Promise.all(
    [...sizes].map(async ([path, size]) => {
      const found = await statfs(path).catch(() => undefined);
      if (found === undefined || found.blocks !== Math.ceil(size / found.bsize)) return 0;
      return (found.blocks - found.bfree) * found.bsize;
    }),
  );
  return used.reduce((sum, bytes) => sum + bytes, 0);
}
