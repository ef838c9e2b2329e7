// SPDX-License-Identifier: Apache-2.0
import { addresses } from './addresses.ts';

/** Lines for `ip -batch` that make the node's own network: a bridge for the pods, and every Service address. */
export const nodeNetwork: readonly string[] = [
  'link set lo up',
  'link add br0 type bridge',
  `addr add ${addresses.node}/${addresses.podPrefix} dev br0`,
  'link set br0 up',
  `route add local ${addresses.services} dev lo`,
];

/** Lines for `ip -batch` inside a pod's network: its end of the cable, the other end handed to the node (process 1). */
export function podNetwork(address: string): readonly string[] {
  return [
    'link set lo up',
    `link add eth0 type veth peer name ${vethName(address)} netns 1`,
    `addr add ${address}/${addresses.podPrefix} dev eth0`,
    'link set eth0 up',
    `route add default via ${addresses.node}`,
  ];
}

/** Lines for `ip -batch` in the node's network that plug the cable in. */
export function attachToBridge(address: string): readonly string[] {
  return [`link set ${vethName(address)} master br0 up`];
}

/** Interface names are at most 15 characters, which any IPv4 address in hexadecimal leaves room for. */
function vethName(address: string): string {
  const hex = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
  return `veth${hex.join('')}`;
}
