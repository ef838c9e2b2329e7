// SPDX-License-Identifier: Apache-2.0
import type { Service } from '@forge/kube/kinds/builtin.ts';
import type { CoreContext } from '../../resources/core-context.ts';
import { portsOf } from './allocate-ports.ts';
import { allServices } from './free-number.ts';

/** Whether another service has an address or node port that was newly allocated to this one. */
export function hasAllocationConflict(service: Service, before: Service | undefined, context: CoreContext): boolean {
  const own = new Set(before && allocationsOf(before));
  const fresh = allocationsOf(service).filter((each) => !own.has(each));
  if (fresh.length === 0) return false;
  const others = allServices(context).filter(({ metadata }) => metadata.uid !== service.metadata.uid);
  const taken = new Set(others.flatMap(allocationsOf));
  return fresh.some((each) => taken.has(each));
}

/** The addresses and node ports of a service. */
function allocationsOf(service: Service): (string | number)[] {
  const addresses = (service.spec?.clusterIPs ?? []).filter((address) => address !== 'None');
  return [...addresses, ...portsOf(service).filter((port) => port !== undefined)];
}
