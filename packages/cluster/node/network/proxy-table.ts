// SPDX-License-Identifier: Apache-2.0
import type { EndpointSlice, Service } from '@forge/kube/kinds/builtin.ts';

/** An endpoint of a Service. */
export interface Backend {
  host: string;
  port: number;
}

/** The ready endpoints of every Service address (`ip:port`) of a protocol. */
export function proxyTable(
  services: readonly Service[],
  slices: readonly EndpointSlice[],
  served: 'TCP' | 'UDP' | 'SCTP' = 'TCP',
): Map<string, readonly Backend[]> {
  const byService = Map.groupBy(slices, ({ metadata }) =>
    keyOf(metadata.namespace, metadata.labels?.['kubernetes.io/service-name']),
  );
  const table = new Map<string, readonly Backend[]>();
  for (const { metadata, spec } of services) {
    const address = spec?.clusterIP;
    if (!address || address === 'None') continue;
    const own = byService.get(keyOf(metadata.namespace, metadata.name)) ?? [];
    for (const { name, port, protocol = 'TCP' } of spec.ports ?? []) {
      const backends = protocol === served ? own.flatMap((slice) => readyBackends(slice, name)) : [];
      if (backends.length > 0) table.set(`${address}:${port}`, backends);
    }
  }
  return table;
}

/** Ports of a Service and its slices are matched by name; a single port may be unnamed. */
function readyBackends({ endpoints, ports }: EndpointSlice, portName = ''): Backend[] {
  const port = ports?.find(({ name = '' }) => name === portName)?.port;
  if (port === undefined) return [];
  // An empty list may be null.
  return (endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses }) => addresses.map((host) => ({ host, port })));
}

function keyOf(namespace = '', name = ''): string {
  return `${namespace}/${name}`;
}
