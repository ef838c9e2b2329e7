// SPDX-License-Identifier: Apache-2.0
import type { EndpointSlice, Endpoints, IPAddress, ServiceCIDR } from '@forge/kube/kinds/builtin.ts';
import { ageColumn, column, nameColumn, type TableColumn } from '../resources/table-column.ts';

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
