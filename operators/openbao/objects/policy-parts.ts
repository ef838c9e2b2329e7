import type { NetworkPolicyPeer, NetworkPolicyPort } from '@forge/kube/generated/types.ts';
// SPDX-License-Identifier: Apache-2.0
import { ipBytes, ipText } from '@forge/pki/ip-bytes.ts';

/** A TCP port. */
export const tcp = (port: number): NetworkPolicyPort => ({ port, protocol: 'TCP' });

/** All pods of a namespace. */
export const namespacePeer = (name: string): NetworkPolicyPeer => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
});

/** One address. */
export function addressPeer(address: string): NetworkPolicyPeer {
  const bytes = ipBytes(address);
  return rangePeer(`${ipText(bytes)}/${bytes.length * 8}`);
}

/** A range of addresses; its first one is that of the network, since the API server refuses others. */
export function rangePeer(cidr: string): NetworkPolicyPeer {
  const [address = '', length = ''] = cidr.split('/');
  const bits = Number(length);
  const network = ipBytes(address).map(
    (byte, index) => byte & (0xff << Math.min(8, Math.max(0, 8 * (index + 1) - bits))),
  );
  return { ipBlock: { cidr: `${ipText(network)}/${bits}` } };
}
