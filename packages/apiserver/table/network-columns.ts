// SPDX-License-Identifier: Apache-2.0
import type { EndpointSlice, NetworkPolicy, Service } from '@forge/kube/builtin.ts';
import { formatLabelSelector } from '@forge/kube/selector.ts';
import { ageColumn, column, nameColumn, wideColumn, type TableColumn } from './table-column.ts';

export const serviceColumns: readonly TableColumn<Service>[] = [
  nameColumn,
  column('Type', ({ spec }) => spec?.type),
  column('Cluster-IP', ({ spec }) => spec?.clusterIPs?.[0] ?? '<none>'),
  column('External-IP', externalAddress),
  column('Port(s)', ({ spec }) => {
    const ports = (spec?.ports ?? []).map(({ port, nodePort, protocol }) =>
      nodePort === undefined ? `${port}/${protocol}` : `${port}:${nodePort}/${protocol}`,
    );
    return orNone(ports.join(','));
  }),
  ageColumn,
  wideColumn('Selector', ({ spec }) => orNone(formatLabelSelector({ matchLabels: spec?.selector ?? {} }))),
];

export const endpointSliceColumns: readonly TableColumn<EndpointSlice>[] = [
  nameColumn,
  column('AddressType', ({ addressType }) => addressType),
  column('Ports', ({ ports }) =>
    firstThree(
      (ports ?? []).map(({ port, name }) => String(port ?? name ?? '*')),
      '<unset>',
    ),
  ),
  column('Endpoints', ({ endpoints }) =>
    firstThree(
      (endpoints ?? []).flatMap(({ addresses }) => addresses),
      '<unset>',
    ),
  ),
  ageColumn,
];

export const networkPolicyColumns: readonly TableColumn<NetworkPolicy>[] = [
  nameColumn,
  column('Pod-Selector', ({ spec }) => orNone(formatLabelSelector(spec?.podSelector ?? {}))),
  ageColumn,
];

function externalAddress({ spec, status }: Service): string {
  if (spec?.type === 'ExternalName') return spec.externalName ?? '';
  const ingress = spec?.type === 'LoadBalancer' ? (status?.loadBalancer?.ingress ?? []) : [];
  const addresses = [...ingress.map(({ ip, hostname }) => ip ?? hostname), ...(spec?.externalIPs ?? [])];
  if (addresses.length > 0) return addresses.join(',');
  return spec?.type === 'LoadBalancer' ? '<pending>' : '<none>';
}

function firstThree(items: readonly string[], none: string): string {
  if (items.length === 0) return none;
  const shown = items.slice(0, 3).join(',');
  return items.length > 3 ? `${shown} + ${items.length - 3} more...` : shown;
}

function orNone(text: string): string {
  return text === '' ? '<none>' : text;
}
