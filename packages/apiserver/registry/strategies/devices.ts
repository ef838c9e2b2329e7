// SPDX-License-Identifier: Apache-2.0
import type { DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice } from '@forge/kube/kinds/builtin.ts';
import type { Strategy } from '../../resources/resource.ts';
import {
  validateDeviceClass,
  validateResourceClaim,
  validateResourceClaimTemplate,
  validateResourceSlice,
} from '../../validation/kinds/devices.ts';
import {
  defaultResourceClaim,
  defaultResourceClaimTemplate,
  fillResourceClaim,
  fillResourceClaimTemplate,
} from '../defaults/devices.ts';
import { allMetadata, strategy } from './strategy.ts';

/** By kind. */
export const deviceStrategies: Readonly<Record<string, Strategy>> = {
  DeviceClass: strategy<DeviceClass>({ validate: validateDeviceClass, generation: true, returnsDeletedObject: true }),
  ResourceClaim: strategy<ResourceClaim>({
    default: defaultResourceClaim,
    prepareForCreate: (object) => ({ ...object, status: {} }),
    fillZeroValues: fillResourceClaim,
    validate: validateResourceClaim,
    metadataKeptOnStatusUpdate: allMetadata,
    returnsDeletedObject: true,
  }),
  ResourceClaimTemplate: strategy<ResourceClaimTemplate>({
    default: defaultResourceClaimTemplate,
    fillZeroValues: fillResourceClaimTemplate,
    validate: validateResourceClaimTemplate,
    returnsDeletedObject: true,
  }),
  ResourceSlice: strategy<ResourceSlice>({
    validate: validateResourceSlice,
    selectableFields: ['spec.driver', 'spec.nodeName'],
    generation: true,
    returnsDeletedObject: true,
  }),
};
