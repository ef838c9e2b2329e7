// SPDX-License-Identifier: Apache-2.0
import type { EndpointSlice, Endpoints, IPAddress, ServiceCIDR } from '@forge/kube/kinds/builtin.ts';
import type { Strategy } from '../../resources/resource.ts';
import {
  validateEndpoints,
  validateIPAddress,
  validateServiceCIDR,
  validateEndpointSlice,
} from '../../validation/kinds/endpoints.ts';
import { endpointSliceWarnings } from '../../warnings/endpoints.ts';
import { defaultEndpoints, defaultEndpointSlice, fillEndpointSlice } from '../defaults/endpoints.ts';
import { allMetadata, strategy } from './strategy.ts';

/** By kind. */
export const endpointStrategies: Readonly<Record<string, Strategy>> = {
  EndpointSlice: strategy<EndpointSlice>({
    default: defaultEndpointSlice,
    fillZeroValues: fillEndpointSlice,
    validate: validateEndpointSlice,
    warnings: endpointSliceWarnings,
    generation: true,
  }),
  Endpoints: strategy<Endpoints>({
    default: defaultEndpoints,
    validate: validateEndpoints,
    allowCreateOnUpdate: true,
  }),
  IPAddress: strategy<IPAddress>({ validate: validateIPAddress, selectableFields: ['spec.parentRef.name'] }),
  ServiceCIDR: strategy<ServiceCIDR>({
    prepareForCreate: (object) => ({ ...object, status: {} }),
    validate: validateServiceCIDR,
    metadataKeptOnStatusUpdate: allMetadata,
  }),
};
