// SPDX-License-Identifier: Apache-2.0
import { EndpointSlice, Service } from '@forge/kube/kinds/builtin.ts';
import { sharedCache } from '@forge/runtime/cache/cache.ts';
import type { WatchContext } from '../../objects/watched-objects.ts';
import { dnsZone, type DnsZone } from './dns-zone.ts';
import { serviceProxy } from './service-proxy.ts';

/** The Services of the cluster. */
export interface FollowedServices {
  zone: () => DnsZone;
  current: () => readonly Service[];
}

/** Serves the addresses of all Services and maintains their DNS zone; resolves when the existing ones are served. */
export async function followServices(context: WatchContext, signal: AbortSignal): Promise<FollowedServices> {
  const cache = sharedCache({ ...context, fieldManagers: new Set() });
  const proxy = serviceProxy((problem) => context.log.error(problem));
  let zone = dnsZone([], []);
  let pending = false;

  function follow(): Promise<void> {
    const [services, slices] = [cache.list(Service), cache.list(EndpointSlice)];
    zone = dnsZone(services, slices);
    return proxy.update(services, slices);
  }

  function changed(): void {
    if (pending) return;
    pending = true;
    // Changes come in bursts: update once per burst.
    setImmediate(() => {
      pending = false;
      void follow();
    });
  }

  cache.open(Service).onChange(changed);
  cache.open(EndpointSlice).onChange(changed);
  await cache.start(signal);
  await follow();
  return { zone: () => zone, current: () => cache.list(Service) };
}
