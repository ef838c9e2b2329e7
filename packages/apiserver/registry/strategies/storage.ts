// SPDX-License-Identifier: Apache-2.0
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '@forge/kube/kinds/builtin.ts';
import { timestamp } from '@forge/runtime/environment/clock.ts';
import type { Strategy } from '../../resources/resource.ts';
import { validateClaim, validateStorageClass, validateVolume } from '../../validation/kinds/storage.ts';
import { claimWarnings, persistentVolumeWarnings, storageClassWarnings } from '../../warnings/storage.ts';
import { defaultClaim, defaultStorageClass, defaultVolume } from '../defaults/storage.ts';
import { strategy } from './strategy.ts';
import { withProtectionFinalizer } from './with-protection-finalizer.ts';

/** By kind. */
export const storageStrategies: Readonly<Record<string, Strategy>> = {
  PersistentVolume: strategy<PersistentVolume>({
    default: defaultVolume,
    prepareForCreate: (object, { clock }) => ({
      ...withProtectionFinalizer(object, 'kubernetes.io/pv-protection'),
      status: { phase: 'Pending', lastPhaseTransitionTime: timestamp(clock) },
    }),
    validate: validateVolume,
    warnings: persistentVolumeWarnings,
    returnsDeletedObject: true,
  }),
  PersistentVolumeClaim: strategy<PersistentVolumeClaim>({
    default: defaultClaim,
    prepareForCreate: (object) => ({
      ...withProtectionFinalizer(object, 'kubernetes.io/pvc-protection'),
      status: { phase: 'Pending' },
    }),
    validate: validateClaim,
    warnings: claimWarnings,
    returnsDeletedObject: true,
  }),
  StorageClass: strategy<StorageClass>({
    default: defaultStorageClass,
    validate: validateStorageClass,
    warnings: storageClassWarnings,
    returnsDeletedObject: true,
  }),
};
