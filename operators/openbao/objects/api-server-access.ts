// SPDX-License-Identifier: Apache-2.0
import { isIP } from 'node:net';
import type { NetworkPolicyEgressRule } from '@forge/kube/generated/types.ts';
import type { EndpointSlice, Service } from '@forge/kube/kinds/builtin.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';
import { addressPeer, rangePeer, tcp } from './policy-parts.ts';

/** What is known of the API server: its Service `default/kubernetes`, and the EndpointSlices of that. */
interface ApiServerObjects {
  readonly service: Service | undefined;
  readonly slices: readonly EndpointSlice[];
}

/** The port of an API server of which only the address is given. */
const usualPort = 6443;

/**
 * The traffic that reaches the API server: to its Service, and to the servers behind it, since some networks look at the
 * address that a connection ends at. Undefined when neither is known.
 */
export function apiServerAccess(
  cluster: OpenBaoCluster,
  { service, slices }: ApiServerObjects,
): NetworkPolicyEgressRule[] | undefined {
  const cidr = cluster.spec.network?.apiServerCIDR ?? serviceRange(service);
  const rules = [
    ...(cidr === undefined || cidr === '' ? [] : [{ to: [rangePeer(cidr)], ports: [tcp(443)] }]),
    ...endpointRules(cluster, slices),
  ];
  return rules.length === 0 ? undefined : rules;
}

/** The range that the Service's address is from; of IPv6, whose ranges are large, the address alone. */
function serviceRange(service: Service | undefined): string | undefined {
  const address = service?.spec?.clusterIP ?? '';
  switch (isIP(address)) {
    case 4:
      return `${address}/16`;
    case 6:
      return `${address}/128`;
    default:
      return undefined;
  }
}

function endpointRules({ spec }: OpenBaoCluster, slices: readonly EndpointSlice[]): NetworkPolicyEgressRule[] {
  const given = spec.network?.apiServerEndpointIPs ?? [];
  if (given.length > 0) return [{ to: given.map(addressPeer), ports: [tcp(usualPort)] }];
  return slices.flatMap(({ endpoints, ports = [] }) => {
    const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
    const addresses = ready.flatMap((endpoint) => endpoint.addresses).filter((address) => isIP(address) !== 0);
    const open = ports.flatMap(({ port, protocol = 'TCP' }) => (port === undefined ? [] : [{ port, protocol }]));
    return addresses.length === 0 || open.length === 0 ? [] : [{ to: addresses.map(addressPeer), ports: open }];
  });
}
