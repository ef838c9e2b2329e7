// SPDX-License-Identifier: Apache-2.0
import type { EndpointSlice, Service } from '@forge/kube/kinds/builtin.ts';

/** A pod's address behind a Service. */
export interface Backend {
  host: string;
  port: number;
}

/** Every Service address (`ip:port`) with ready endpoints, and these. */
export function proxyTable(
  services: readonly Service[],
  slices: readonly EndpointSlice[],
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
      const backends = protocol === 'TCP' ? own.flatMap((slice) => readyBackends(slice, name)) : [];
      if (backends.length > 0) table.set(`${address}:${port}`, backends);
    }
  }
  return table;
}

/** A Service's port and its slices' ports belong together by name; a single port may have none. */
function readyBackends({ endpoints, ports }: EndpointSlice, portName = ''): Backend[] {
  const port = ports?.find(({ name = '' }) => name === portName)?.port;
  if (port === undefined) return [];
  // A server shows a list without items as null.
  return (endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses }) => addresses.map((host) => ({ host, port })));
}

function keyOf(namespace = '', name = ''): string {
  return `${namespace}/${name}`;
}
