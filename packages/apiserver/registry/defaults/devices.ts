// SPDX-License-Identifier: Apache-2.0
import type { DeviceToleration, DeviceRequest, ResourceClaimSpec } from '@forge/kube/generated/types.ts';
import type { ResourceClaim, ResourceClaimTemplate } from '@forge/kube/kinds/builtin.ts';
import { defaults, eachItem, chain, type Defaults, unset } from './defaults.ts';

interface Wanted {
  allocationMode?: string;
  count?: number;
  tolerations?: DeviceToleration[];
}

/** The default device count is one. */
function oneDevice<T extends Wanted>(request: T): T {
  return request.allocationMode === 'ExactCount' && (request.count ?? 0) === 0 ? { ...request, count: 1 } : request;
}

function wanted<T extends Wanted>(): Defaults<T> {
  const fill = defaults<Wanted>(
    { allocationMode: 'ExactCount' },
    { tolerations: eachItem(defaults({ operator: 'Equal' })) },
  );
  return chain<T>((request) => fill(request) as T, oneDevice);
}

const claimSpec = defaults<ResourceClaimSpec>(
  {},
  {
    devices: defaults(
      {},
      { requests: eachItem<DeviceRequest>(defaults({}, { exactly: wanted(), firstAvailable: eachItem(wanted()) })) },
    ),
  },
);

/** Defaults of claims. */
export const defaultResourceClaim = defaults<ResourceClaim>({}, { spec: claimSpec });

/** Defaults of claim templates. */
export const defaultResourceClaimTemplate = defaults<ResourceClaimTemplate>(
  {},
  { spec: defaults({}, { spec: claimSpec }) },
);

const showClaimSpec = defaults<ResourceClaimSpec>({}, { devices: defaults({ requests: unset }) });

export const fillResourceClaim = defaults<ResourceClaim>({}, { spec: showClaimSpec });

export const fillResourceClaimTemplate = defaults<ResourceClaimTemplate>(
  {},
  { spec: defaults({}, { spec: showClaimSpec }) },
);
