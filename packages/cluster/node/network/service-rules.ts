// SPDX-License-Identifier: Apache-2.0
import { isIPv4 } from 'node:net';
import type { EndpointSlice, Service } from '@forge/kube/kinds/builtin.ts';
import type { FilterContent } from './filter-table.ts';
import { proxyTable } from './proxy-table.ts';

/**
 * Replaces the address of a Service by that of an endpoint before all other rules: NetworkPolicies apply to the
 * endpoint, and the endpoint sees the address of the client. Connections without an endpoint reach the node, which
 * refuses them.
 */
export const serviceChains = `
  map services {
    type ipv4_addr . inet_proto . inet_service : verdict
  }
  map hairpins {
    type ipv4_addr . ipv4_addr : verdict
  }
  chain prerouting {
    type nat hook prerouting priority -100
    ip daddr . meta l4proto . th dport vmap @services
  }
  chain output {
    type nat hook output priority -100
    ip daddr . meta l4proto . th dport vmap @services
  }
  chain postrouting {
    type nat hook postrouting priority 100
    ct status dnat ip saddr . ip daddr vmap @hairpins
  }`;

const protocols = ['TCP', 'UDP', 'SCTP'] as const;

/** More than the node has pods: endpoints that users write could exceed a limit of the kernel. */
const maxEndpoints = 256;

/** The rules that forward Service addresses to ready endpoints, at random. */
export function serviceRules(services: readonly Service[], slices: readonly EndpointSlice[]): FilterContent {
  const forwarded = new Map<string, readonly string[]>();
  const hairpins = new Map<string, readonly string[]>();
  for (const protocol of protocols) {
    const name = protocol.toLowerCase();
    for (const [address, backends] of proxyTable(services, slices, protocol)) {
      const [host = '', port = ''] = address.split(':');
      const reachable = backends.filter((backend) => isIPv4(backend.host)).slice(0, maxEndpoints);
      if (!isIPv4(host) || reachable.length === 0) continue;
      const targets = reachable.map((backend, index) => `${index} : ${backend.host} . ${backend.port}`);
      forwarded.set(`${host} . ${name} . ${port}`, [
        `meta l4proto ${name} dnat ip to numgen random mod ${targets.length} map { ${targets.join(', ')} }`,
      ]);
      // A pod drops packets from its own address: when it is its own client, it sees the node's address.
      for (const backend of reachable) hairpins.set(`${backend.host} . ${backend.host}`, ['masquerade']);
    }
  }
  return { maps: { services: forwarded, hairpins } };
}
