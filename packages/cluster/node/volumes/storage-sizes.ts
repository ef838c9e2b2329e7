// SPDX-License-Identifier: Apache-2.0
import type { PodSpec, Volume } from '@forge/kube/generated/types.ts';
import { nanosOf } from '@forge/kube/objects/quantity.ts';
import { tmpfsSizes } from '../mounts/tmpfs.ts';

/** What a container can write, in bytes. */
export interface ContainerStorage {
  /** Its writable layer. */
  layer: number;
  /** Its /dev/shm. */
  sharedMemory: number;
}

/** An emptyDir on disk can exceed its limit by a tenth, and at least by this many bytes; its pod is then evicted. */
const minTolerance = 1024 * 1024;

/** What a container needs to start. */
const minSize = 1024 * 1024;

/** The sizes of a pod's emptyDirs in bytes, by their names. */
export function emptyDirSizes(spec: PodSpec): ReadonlyMap<string, number> {
  return shares(spec).emptyDirs;
}

/**
 * What a container of the pod can write. Ephemeral containers are not known when the pod starts: each has half of what
 * the earlier ones left of a reserve.
 */
export function containerStorage(spec: PodSpec, container: string): ContainerStorage {
  const added = (spec.ephemeralContainers ?? []).findIndex(({ name }) => name === container);
  const size = added === -1 ? shares(spec).container : Math.max(minSize, tmpfsSizes.ephemeral / 2 ** (added + 1));
  const sharedMemory = Math.min(tmpfsSizes.sharedMemory, Math.floor(size / 4));
  return { layer: size - sharedMemory, sharedMemory };
}

/**
 * The shares of a pod's emptyDirs and of each of its containers: together no more than the pod has, whatever their
 * limits are. Those that want little have it; the others share the rest.
 */
function shares({ volumes = [], initContainers = [], containers }: PodSpec) {
  // Other init containers have ended before the containers start, and free their share.
  const sidecars = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always');
  const wanted: { name?: string; size: number }[] = volumes
    .flatMap(({ name, emptyDir }) => (emptyDir ? [{ name, size: sizeOf(emptyDir) }] : []))
    .toSorted((one, other) => one.size - other.size);
  wanted.push(...[...sidecars, ...containers].map(() => ({ size: tmpfsSizes.storage })));
  const emptyDirs = new Map<string, number>();
  let container: number = tmpfsSizes.storage;
  let left: number = tmpfsSizes.storage;
  for (const [index, { name, size }] of wanted.entries()) {
    const share = Math.min(size, Math.floor(left / (wanted.length - index)));
    if (name === undefined) container = Math.min(container, share);
    else emptyDirs.set(name, share);
    left -= share;
  }
  return { emptyDirs, container };
}

/** The size that an emptyDir has alone. */
function sizeOf({ medium, sizeLimit }: NonNullable<Volume['emptyDir']>): number {
  const limit = Number((nanosOf(String(sizeLimit ?? '0')) ?? 0n) / 1_000_000_000n);
  if (limit <= 0) return tmpfsSizes.storage;
  const size = medium === 'Memory' ? limit : limit + Math.max(Math.ceil(limit / 10), minTolerance);
  return Math.min(size, tmpfsSizes.storage);
}
