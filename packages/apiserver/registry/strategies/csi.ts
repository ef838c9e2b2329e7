// SPDX-License-Identifier: Apache-2.0
import type { CSIDriver, CSINode, VolumeAttachment, VolumeAttributesClass } from '@forge/kube/kinds/builtin.ts';
import type { Strategy } from '../../resources/resource.ts';
import {
  validateCSIDriver,
  validateCSINode,
  validateVolumeAttachment,
  validateVolumeAttributesClass,
} from '../../validation/kinds/csi.ts';
import { driverWarnings } from '../../warnings/csi.ts';
import { defaultCSIDriver, fillCSINode } from '../defaults/csi.ts';
import { allMetadata, strategy } from './strategy.ts';
import { withProtectionFinalizer } from './with-protection-finalizer.ts';

/** By kind. */
export const csiStrategies: Readonly<Record<string, Strategy>> = {
  CSIDriver: strategy<CSIDriver>({
    default: defaultCSIDriver,
    validate: validateCSIDriver,
    warnings: driverWarnings,
    generation: 'from the first change',
    requiresVersionOnUpdate: true,
    returnsDeletedObject: true,
  }),
  CSINode: strategy<CSINode>({
    fillZeroValues: fillCSINode,
    validate: validateCSINode,
    requiresVersionOnUpdate: true,
    returnsDeletedObject: true,
  }),
  VolumeAttachment: strategy<VolumeAttachment>({
    prepareForCreate: (object) => ({ ...object, status: { attached: false } }),
    validate: validateVolumeAttachment,
    metadataKeptOnStatusUpdate: allMetadata,
    requiresVersionOnUpdate: true,
    returnsDeletedObject: true,
  }),
  VolumeAttributesClass: strategy<VolumeAttributesClass>({
    prepareForCreate: (object) => withProtectionFinalizer(object, 'kubernetes.io/vac-protection'),
    validate: validateVolumeAttributesClass,
    returnsDeletedObject: true,
  }),
};
