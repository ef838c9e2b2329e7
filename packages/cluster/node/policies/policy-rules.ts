// SPDX-License-Identifier: Apache-2.0
import type { FilterMaps } from '../network/filter-table.ts';
import type { Allowance, PodTraffic, PortRange } from './allowed-traffic.ts';

/**
 * Judges the first packet of each connection, by its sender's policies and then by its receiver's. What the node itself
 * sends is not judged: its probes must pass. A pod always reaches itself.
 */
export const policyChains = `
  map self {
    type ipv4_addr . ipv4_addr : verdict
  }
  map egress {
    type ipv4_addr : verdict
  }
  map ingress {
    type ipv4_addr : verdict
  }
  chain forward {
    type filter hook forward priority 0
    ct state established,related accept
    ip saddr . ip daddr vmap @self
    ip saddr vmap @egress
    ip daddr vmap @ingress
  }
  chain input {
    type filter hook input priority 0
    ct state established,related accept
    ip saddr vmap @egress
  }`;

/** At once, and unlike a closed port: clients report that the host is unreachable. */
const refuse = 'reject with icmp admin-prohibited';

/** The rules of all pods that a policy selects. */
export function policyRules(traffic: ReadonlyMap<string, PodTraffic>): FilterMaps {
  const maps = {
    self: new Map<string, string[]>(),
    egress: new Map<string, string[]>(),
    ingress: new Map<string, string[]>(),
  };
  for (const [address, { ingress, egress }] of traffic) {
    maps.self.set(`${address} . ${address}`, ['accept']);
    if (egress) maps.egress.set(address, rulesOf('ip daddr', egress));
    if (ingress) maps.ingress.set(address, rulesOf('ip saddr', ingress));
  }
  return maps;
}

/** What is allowed returns, to be judged by the other side's policies. */
function rulesOf(peer: 'ip saddr' | 'ip daddr', allowances: readonly Allowance[]): string[] {
  const rules = allowances.flatMap(({ peers, ports }) =>
    peerMatches(peer, peers).flatMap((from) => portMatches(ports).map((on) => [...from, ...on, 'return'].join(' '))),
  );
  return [...new Set(rules), refuse];
}

function peerMatches(peer: string, peers: Allowance['peers']): string[][] {
  if (peers === undefined) return [[]];
  const { addresses, blocks } = peers;
  return [
    ...(addresses.length > 0 ? [[`${peer} { ${addresses.toSorted().join(', ')} }`]] : []),
    ...blocks.map(({ cidr, except }) => [`${peer} ${cidr}`, ...except.map((each) => `${peer} != ${each}`)]),
  ];
}

function portMatches(ports: Allowance['ports']): string[][] {
  if (ports === undefined) return [[]];
  return ports.map((range) => [portMatch(range)]);
}

/** A range of one port, or of all, is not a range for nft. */
function portMatch({ protocol, from, to }: PortRange): string {
  const name = protocol.toLowerCase();
  if (from === 0) return `meta l4proto ${name}`;
  return `${name} dport ${from === to ? from : `${from}-${to}`}`;
}
