// SPDX-License-Identifier: Apache-2.0
import type { PersistentVolumeClaimSpec } from '@forge/kube/generated/types.ts';
import type { PersistentVolumeClaim, PersistentVolume, StorageClass } from '@forge/kube/kinds/builtin.ts';
import { defaults } from './defaults.ts';

/** Defaults of claim specs: volumeMode Filesystem. */
export const claimSpec = defaults<PersistentVolumeClaimSpec>({ volumeMode: 'Filesystem' });

/** Defaults of claims. */
export const defaultClaim = defaults<PersistentVolumeClaim>({}, { spec: claimSpec });

/** Defaults of persistent volumes: reclaim policy Retain. */
export const defaultVolume = defaults<PersistentVolume>(
  {},
  {
    spec: defaults(
      { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
      { hostPath: defaults({ type: '' }) },
    ),
  },
);

/** Defaults of storage classes: reclaim policy Delete, immediate binding. */
export const defaultStorageClass = defaults<StorageClass>({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });
