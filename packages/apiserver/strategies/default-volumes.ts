// SPDX-License-Identifier: Apache-2.0
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '@forge/kube/builtin.ts';

/** A claim asks for a file system unless it says otherwise. */
export function defaultClaim<T extends Pick<PersistentVolumeClaim, 'spec'>>(claim: T): T {
  return claim.spec === undefined ? claim : { ...claim, spec: { volumeMode: 'Filesystem', ...claim.spec } };
}

/** A volume is kept when its claim goes, unless it says otherwise. */
export function defaultVolume(volume: PersistentVolume): PersistentVolume {
  const { spec } = volume;
  if (spec === undefined) return volume;
  const { hostPath } = spec;
  return {
    ...volume,
    spec: {
      persistentVolumeReclaimPolicy: 'Retain',
      volumeMode: 'Filesystem',
      ...spec,
      ...(hostPath !== undefined && { hostPath: { type: '', ...hostPath } }),
    },
  };
}

/** A storage class deletes what it made, at once when it is asked for. */
export function defaultStorageClass(storageClass: StorageClass): StorageClass {
  return {
    ...storageClass,
    reclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
    volumeBindingMode: storageClass.volumeBindingMode ?? 'Immediate',
  };
}
