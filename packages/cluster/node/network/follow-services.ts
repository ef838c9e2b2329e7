// SPDX-License-Identifier: Apache-2.0
import { EndpointSlice, Service } from '@forge/kube/kinds/builtin.ts';
import { sharedCache } from '@forge/runtime/cache/cache.ts';
import type { WatchContext } from '../../objects/watched-objects.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { dnsZone, type DnsZone } from './dns-zone.ts';
import type { FilterTable } from './filter-table.ts';
import { oncePerBurst } from './once-per-burst.ts';
import { serviceProxy } from './service-proxy.ts';
import { serviceRules } from './service-rules.ts';

/** The Services of the cluster. */
export interface FollowedServices {
  zone: () => DnsZone;
  current: () => readonly Service[];
}

type Serve = (services: readonly Service[], slices: readonly EndpointSlice[]) => Promise<void>;

const retryDelay = 1000;

/**
 * Serves the addresses of all Services and maintains their DNS zone; resolves when the existing ones are served. Without
 * a packet filter a proxy serves them, TCP only.
 */
export async function followServices(
  { table, limits }: { table: FilterTable | undefined; limits: ConnectionLimits },
  context: WatchContext,
  signal: AbortSignal,
): Promise<FollowedServices> {
  const cache = sharedCache({ ...context, fieldManagers: new Set() });
  const serve = table ? forwarding(table) : proxying(limits, context);
  let zone = dnsZone([], []);

  function follow(): Promise<void> {
    const [services, slices] = [cache.list(Service), cache.list(EndpointSlice)];
    zone = dnsZone(services, slices);
    return serve(services, slices);
  }

  const changed = oncePerBurst(() => {
    follow().catch((error: Error) => {
      context.log.error('Service addresses cannot be served; retrying', { error });
      context.clock.after(retryDelay, changed);
    });
  });

  cache.open(Service).onChange(changed);
  cache.open(EndpointSlice).onChange(changed);
  await cache.start(signal);
  await follow();
  return { zone: () => zone, current: () => cache.list(Service) };
}

function forwarding(table: FilterTable): Serve {
  return (services, slices) => table.update(serviceRules(services, slices));
}

function proxying(limits: ConnectionLimits, { log }: WatchContext): Serve {
  const proxy = serviceProxy(limits, (problem) => log.error(problem));
  return (services, slices) => proxy.update(services, slices);
}
