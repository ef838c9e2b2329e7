// SPDX-License-Identifier: Apache-2.0
import type {
  Endpoints,
  EndpointSlice,
  IPAddress,
  NetworkPolicy,
  Service,
  ServiceCIDR,
} from '@forge/kube/kinds/builtin.ts';
import { formatLabelSelector } from '@forge/kube/selectors/selector.ts';
import { ageColumn, column, nameColumn, wideColumn, type TableColumn } from '../resources/table-column.ts';

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

export const endpointsColumns: readonly TableColumn<Endpoints>[] = [
  nameColumn,
  column('Endpoints', ({ subsets }) => {
    const known = subsets ?? [];
    return known.length === 0 ? '<none>' : firstThree(known.flatMap(addressesOf), '');
  }),
  ageColumn,
];

export const ipAddressColumns: readonly TableColumn<IPAddress>[] = [
  nameColumn,
  column('ParentRef', ({ spec }) => {
    const parent = spec.parentRef as Partial<IPAddress['spec']['parentRef']> | undefined;
    if (parent === undefined) return '<none>';
    const { group = '', resource = '', namespace = '', name = '' } = parent;
    const type = (group === '' ? resource : `${resource}.${group}`).toLowerCase();
    return [type, ...(namespace === '' ? [] : [namespace]), name].join('/');
  }),
  { ...ageColumn, unlisted: true },
];

export const serviceCidrColumns: readonly TableColumn<ServiceCIDR>[] = [
  nameColumn,
  column('CIDRs', ({ spec }) => (spec?.cidrs ?? []).join(',')),
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

/** The host:port pairs of a subset. */
function addressesOf({ addresses, ports }: NonNullable<Endpoints['subsets']>[number]): string[] {
  const hosts = (addresses ?? []).map(({ ip }) => ip);
  if ((ports ?? []).length === 0) return hosts;
  return (ports ?? []).flatMap(({ port }) =>
    hosts.map((host) => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`)),
  );
}

function firstThree(items: readonly string[], none: string): string {
  if (items.length === 0) return none;
  const shown = items.slice(0, 3).join(',');
  return items.length > 3 ? `${shown} + ${items.length - 3} more...` : shown;
}

function orNone(text: string): string {
  return text === '' ? '<none>' : text;
}
