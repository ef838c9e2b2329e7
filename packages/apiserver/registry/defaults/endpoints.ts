// SPDX-License-Identifier: Apache-2.0
import type { NetworkPolicyPort } from '@forge/kube/generated/types.ts';
import type { EndpointSlice, Endpoints } from '@forge/kube/kinds/builtin.ts';
import { defaults, eachItem, unset } from './defaults.ts';

/** Defaults of endpoint slices. */
export const defaultEndpointSlice = defaults<EndpointSlice>(
  {},
  { ports: eachItem(defaults({ name: '', protocol: 'TCP' })) },
);

/** Defaults of Endpoints. */
export const defaultEndpoints = defaults<Endpoints>(
  {},
  { subsets: eachItem(defaults({}, { ports: eachItem(defaults({ protocol: 'TCP' })) })) },
);

export const ports = eachItem<NetworkPolicyPort>(defaults({ protocol: 'TCP' }));

export const fillEndpointSlice = defaults<EndpointSlice>({ endpoints: unset, ports: unset });
