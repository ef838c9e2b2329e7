// SPDX-License-Identifier: Apache-2.0
import type { IngressRule } from '@forge/kube/generated/types.ts';
import type { Ingress, IngressClass, Service } from '@forge/kube/kinds/builtin.ts';
import { formatLabelSelector } from '@forge/kube/selectors/selector.ts';
import { isDefaultClass } from '../resources/ingress-class.ts';
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

export const ingressColumns: readonly TableColumn<Ingress>[] = [
  nameColumn,
  column('Class', ({ spec }) => spec?.ingressClassName ?? '<none>'),
  column('Hosts', ({ spec }) => hostsText(spec?.rules)),
  column('Address', ({ status }) => {
    const addresses = (status?.loadBalancer?.ingress ?? []).map(({ ip = '', hostname = '' }) => ip || hostname);
    return [...new Set(addresses.filter(Boolean))].toSorted().join(',');
  }),
  column('Ports', ({ spec }) => ((spec?.tls ?? []).length > 0 ? '80, 443' : '80')),
  ageColumn,
];

const shownHosts = 3;

function hostsText(rules: readonly IngressRule[] = []): string {
  const shown: string[] = [];
  for (const { host = '' } of rules) {
    // kube-apiserver counts all rules as hosts here.
    if (shown.length === shownHosts) return `${shown.join(',')} + ${rules.length - shownHosts} more...`;
    if (host !== '') shown.push(host);
  }
  return shown.length === 0 ? '*' : shown.join(',');
}

export const ingressClassColumns: readonly TableColumn<IngressClass>[] = [
  {
    ...nameColumn,
    cell: (ingressClass) => `${ingressClass.metadata.name}${isDefaultClass(ingressClass) ? ' (default)' : ''}`,
  },
  column('Controller', ({ spec }) => spec?.controller ?? ''),
  column('Parameters', ({ spec }) => {
    const { apiGroup, kind, name } = spec?.parameters ?? {};
    return spec?.parameters === undefined ? '<none>' : `${kind}${apiGroup === undefined ? '' : `.${apiGroup}`}/${name}`;
  }),
  ageColumn,
];
