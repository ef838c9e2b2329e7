// SPDX-License-Identifier: Apache-2.0
import type { PersistentVolumeClaimSpec } from '@forge/kube/generated/types.ts';
import type { CSIDriver, PersistentVolume, PersistentVolumeClaim, StorageClass } from '@forge/kube/kinds/builtin.ts';
import { defaults } from './defaults.ts';

/** What a claim asks for, wherever it stands: a file system unless it says otherwise. */
export const claimSpec = defaults<PersistentVolumeClaimSpec>({ volumeMode: 'Filesystem' });

/** A claim with all that its writer may leave out. */
export const defaultClaim = defaults<PersistentVolumeClaim>({}, { spec: claimSpec });

/** A volume is kept when its claim goes, unless it says otherwise. */
export const defaultVolume = defaults<PersistentVolume>(
  {},
  {
    spec: defaults(
      { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
      { hostPath: defaults({ type: '' }) },
    ),
  },
);

/** A storage class deletes what it made, at once when it is asked for. */
export const defaultStorageClass = defaults<StorageClass>({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });

/** A driver attaches volumes before they are mounted, and makes persistent ones. */
export const defaultCSIDriver = defaults<CSIDriver>(
  {},
  {
    spec: defaults({
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      volumeLifecycleModes: ['Persistent'],
      requiresRepublish: false,
      seLinuxMount: false,
    }),
  },
);
