// SPDX-License-Identifier: Apache-2.0
import { addresses } from './addresses.ts';

/** `ip -batch` commands of the node's network: its own address, and all Service addresses. */
export const nodeNetwork: readonly string[] = [
  'link set lo up',
  `addr add ${addresses.node}/32 dev lo`,
  `route add local ${addresses.services} dev lo src ${addresses.node}`,
];

/**
 * Kernel settings of the node's network: it forwards between pods, drops packets with a source address that is not the
 * pod's own, and answers everything that it refuses.
 */
export const nodeSettings: Readonly<Record<string, string>> = {
  '/proc/sys/net/ipv4/ip_forward': '1',
  '/proc/sys/net/ipv4/conf/all/rp_filter': '1',
  '/proc/sys/net/ipv4/icmp_ratelimit': '0',
};

/**
 * `ip -batch` commands in a pod's network namespace: one end of the veth pair, the other in the node's namespace
 * (process 1).
 */
export function podNetwork(address: string): readonly string[] {
  return [
    'link set lo up',
    `link add eth0 type veth peer name ${vethName(address)} netns 1`,
    `addr add ${address}/32 dev eth0`,
    'link set eth0 up',
    `route add ${addresses.node} dev eth0`,
    `route add default via ${addresses.node}`,
  ];
}

/**
 * `ip -batch` commands in the node's network that route to the pod, without a bridge: all traffic between pods passes
 * the node's packet filter.
 */
export function routeToPod(address: string): readonly string[] {
  return [`link set ${vethName(address)} up`, `route add ${address} dev ${vethName(address)} src ${addresses.node}`];
}

/** Interface names have at most 15 characters, enough for an IPv4 address in hexadecimal. */
function vethName(address: string): string {
  const hex = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
  return `veth${hex.join('')}`;
}
