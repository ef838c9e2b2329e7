// SPDX-License-Identifier: Apache-2.0
import type { ContainerPort } from '@forge/kube/generated/types.ts';
import type { EndpointSlice, Namespace, Service } from '@forge/kube/kinds/builtin.ts';
import { addresses } from '../../network/addresses.ts';
import type { NetworkPod } from '../../policies/allowed-traffic.ts';
import { dnsPod } from '../../policies/dns-pod.ts';

const namespace = (name: string, labels: Record<string, string>): Namespace => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { 'kubernetes.io/metadata.name': name, ...labels } },
});

/** The namespaces of the cases. */
export const namespaces: readonly Namespace[] = [
  namespace('kube-system', {}),
  namespace('openstack', { team: 'identity' }),
  namespace('web', { team: 'web', tier: 'public' }),
  namespace('monitoring', {}),
];

function pod(home: string, name: string, number: number, ports: ContainerPort[] = []): NetworkPod {
  return {
    metadata: { name, namespace: home, uid: name, labels: { app: name } },
    spec: { containers: [{ name: 'main', ports }] },
    address: `10.244.0.${number}`,
  };
}

const http = (containerPort: number): ContainerPort => ({ name: 'http', containerPort });

/** The pods of the cases, in the order of their addresses. */
export const pods = {
  api: pod('openstack', 'api', 2, [http(5000)]),
  database: pod('openstack', 'database', 3, [{ name: 'query', containerPort: 5001 }]),
  front: pod('web', 'front', 4, [http(8080)]),
  back: pod('web', 'back', 5, [http(5001), { name: 'http', containerPort: 5000, protocol: 'UDP' }]),
  metrics: pod('monitoring', 'metrics', 6),
} as const;

/** The addresses by name. */
export const addressOf: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(pods).map(([name, { address }]) => [name, address])),
  node: addresses.node,
  dns: dnsPod.address,
};

/** The ports on which every pod of the cases listens, by protocol. */
export const listening = { tcp: [5000, 5001, 8080], udp: [5000] };

/** A Service of the API pod, on a port of its own. */
export const identity: { service: Service; slice: EndpointSlice; port: number } = {
  service: {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'identity', namespace: 'openstack' },
    spec: {
      clusterIP: '10.96.0.20',
      ports: [
        { name: 'tcp', port: 80 },
        { name: 'udp', port: 80, protocol: 'UDP' },
        { name: 'sctp', port: 80, protocol: 'SCTP' },
      ],
    },
  },
  slice: {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'identity', namespace: 'openstack', labels: { 'kubernetes.io/service-name': 'identity' } },
    addressType: 'IPv4',
    ports: [
      { name: 'tcp', port: 5000 },
      { name: 'udp', port: 5000, protocol: 'UDP' },
      { name: 'sctp', port: 5000, protocol: 'SCTP' },
    ],
    endpoints: [{ addresses: [pods.api.address] }],
  },
  port: 80,
};

/** A connection, written `front > api tcp/5000`. */
export interface Connection {
  from: string;
  to: string;
  protocol: 'tcp' | 'udp' | 'sctp';
  port: number;
}

/** Parses the notation of the cases. */
export function connection(text: string): Connection {
  const [, from = '', to = '', protocol, port] = /^(\w+) > (\w+) (tcp|udp|sctp)\/(\d+)$/.exec(text) ?? [];
  return { from, to, protocol: protocol as Connection['protocol'], port: Number(port) };
}
