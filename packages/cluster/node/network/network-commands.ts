// SPDX-License-Identifier: Apache-2.0
import { addresses } from './addresses.ts';

/** `ip -batch` commands of the node's network: a bridge for the pods, and all Service addresses. */
export const nodeNetwork: readonly string[] = [
  'link set lo up',
  `link add br0 address ${addresses.nodeMac} type bridge`,
  `addr add ${addresses.node}/${addresses.podPrefix} dev br0`,
  'link set br0 up',
  `route add local ${addresses.services} dev lo`,
];

/**
 * `ip -batch` commands in a pod's network namespace: one end of the veth pair, the other in the node's namespace
 * (process 1).
 */
export function podNetwork(address: string): readonly string[] {
  return [
    'link set lo up',
    `link add eth0 type veth peer name ${vethName(address)} netns 1`,
    `addr add ${address}/${addresses.podPrefix} dev eth0`,
    'link set eth0 up',
    `route add default via ${addresses.node}`,
  ];
}

/** `ip -batch` commands in the node's network that attach the pod's veth to the bridge. */
export function attachToBridge(address: string): readonly string[] {
  return [`link set ${vethName(address)} master br0 up`];
}

/** Interface names have at most 15 characters, enough for an IPv4 address in hexadecimal. */
function vethName(address: string): string {
  const hex = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
  return `veth${hex.join('')}`;
}
