// SPDX-License-Identifier: Apache-2.0
import type { Service } from '@forge/kube/kinds/builtin.ts';
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

function externalAddress({ spec, status }: Service): string {
  if (spec?.type === 'ExternalName') return spec.externalName ?? '';
  const ingress = spec?.type === 'LoadBalancer' ? (status?.loadBalancer?.ingress ?? []) : [];
  const addresses = [...ingress.map(({ ip, hostname }) => ip ?? hostname), ...(spec?.externalIPs ?? [])];
  if (addresses.length > 0) return addresses.join(',');
  return spec?.type === 'LoadBalancer' ? '<pending>' : '<none>';
}

export function orNone(text: string): string {
  return text === '' ? '<none>' : text;
}
