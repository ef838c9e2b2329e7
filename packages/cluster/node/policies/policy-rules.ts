// SPDX-License-Identifier: Apache-2.0
import { nameOf, type FilterContent, type FilterSet } from '../network/filter-table.ts';
import type { Allowance, PodTraffic, PortRange } from './allowed-traffic.ts';
import { addressOf } from './ipv4.ts';
import { merged, type Range } from './ranges.ts';

/**
 * Checks the first packet of each connection against the sender's policies and then the receiver's. Packets of the node
 * itself are not checked: its probes must pass. A pod can always reach itself.
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
    iif != lo ip daddr vmap @ingress
  }`;

/** Refuses at once and distinguishably from a closed port: clients report that the host is unreachable. */
const refuse = 'reject with icmp admin-prohibited';

/** The rules of all pods that a policy selects, and the sets of addresses and ports that they refer to. */
export function policyRules(traffic: ReadonlyMap<string, PodTraffic>): FilterContent {
  const sets = new Map<string, FilterSet>();
  const [incoming, outgoing] = [allowanceRules('ip saddr', sets), allowanceRules('ip daddr', sets)];
  const maps = {
    self: new Map<string, string[]>(),
    egress: new Map<string, string[]>(),
    ingress: new Map<string, string[]>(),
  };
  for (const [address, { ingress, egress }] of traffic) {
    maps.self.set(`${address} . ${address}`, ['accept']);
    if (egress) maps.egress.set(address, rulesOf(egress, outgoing));
    if (ingress) maps.ingress.set(address, rulesOf(ingress, incoming));
  }
  return { sets, maps };
}

type AllowanceRules = (allowance: Allowance) => string[];

function rulesOf(allowances: readonly Allowance[], rules: AllowanceRules): string[] {
  return [...new Set(allowances.flatMap(rules)), refuse];
}

/**
 * The rules of an allowance, computed once for all pods that share it. Allowed packets return to the other side's
 * check.
 */
function allowanceRules(peer: 'ip saddr' | 'ip daddr', sets: Map<string, FilterSet>): AllowanceRules {
  const known = new Map<Allowance, string[]>();
  return (allowance) => {
    const { peers, ports } = allowance;
    const before = known.get(allowance);
    if (before) return before;
    const from = peers && `${peer} ${setOf('ipv4_addr', peers, sets)}`;
    const matches = ports === undefined ? [''] : portMatches(ports, sets);
    const rules = matches.map((on) => [from, on, 'return'].filter(Boolean).join(' '));
    known.set(allowance, rules);
    return rules;
  };
}

/** One match for each protocol. */
function portMatches(ports: readonly PortRange[], sets: Map<string, FilterSet>): string[] {
  const byProtocol = Map.groupBy(ports, ({ protocol }) => protocol.toLowerCase());
  return [...byProtocol].map(([protocol, ranges]) => {
    // nft does not accept a set of all ports.
    if (ranges.some(({ from }) => from === 0)) return `meta l4proto ${protocol}`;
    return `${protocol} dport ${setOf('inet_service', merged(ranges), sets)}`;
  });
}

/** Refers to a set of these ranges, which equal rules share. */
function setOf(type: FilterSet['type'], ranges: readonly Range[], sets: Map<string, FilterSet>): string {
  const format = type === 'ipv4_addr' ? addressOf : String;
  const elements = ranges.map(({ from, to }) => (from === to ? format(from) : `${format(from)}-${format(to)}`));
  const name = nameOf('set', [type, ...elements]);
  sets.set(name, { type, elements });
  return `@${name}`;
}
