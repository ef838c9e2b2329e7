// SPDX-License-Identifier: Apache-2.0
import type { Service } from '@forge/kube/kinds/builtin.ts';
import type { Surroundings } from '../resources/surroundings.ts';
import { portsOf } from './allocate-ports.ts';
import { otherServices } from './free-number.ts';

/** Whether another service has an address or a node port that this one was given and did not have before. */
export function isTaken(service: Service, before: Service | undefined, surroundings: Surroundings): boolean {
  const own = new Set(before && holdingsOf(before));
  const fresh = holdingsOf(service).filter((each) => !own.has(each));
  if (fresh.length === 0) return false;
  const others = otherServices(surroundings).filter(({ metadata }) => metadata.uid !== service.metadata.uid);
  const taken = new Set(others.flatMap(holdingsOf));
  return fresh.some((each) => taken.has(each));
}

/** What only one service can have. */
function holdingsOf(service: Service): (string | number)[] {
  const addresses = (service.spec?.clusterIPs ?? []).filter((address) => address !== 'None');
  return [...addresses, ...portsOf(service).filter((port) => port !== undefined)];
}
