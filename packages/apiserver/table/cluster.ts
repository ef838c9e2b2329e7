// SPDX-License-Identifier: Apache-2.0
import type { Node, Namespace, Lease } from '@forge/kube/kinds/builtin.ts';
import { column, nameColumn, wideColumn, type TableColumn, ageColumn } from '../resources/table-column.ts';

export const nodeColumns: readonly TableColumn<Node>[] = [
  nameColumn,
  column('Status', ({ spec, status }) => {
    const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
    const word = ready === undefined ? 'Unknown' : ready === 'True' ? 'Ready' : 'NotReady';
    return spec?.unschedulable === true ? `${word},SchedulingDisabled` : word;
  }),
  column('Roles', ({ metadata }) => {
    const labels = Object.keys(metadata.labels ?? {}).filter((label) => label.startsWith(rolePrefix));
    const roles = labels.map((label) => label.slice(rolePrefix.length)).toSorted();
    return roles.length === 0 ? '<none>' : roles.join(',');
  }),
  ageColumn,
  column('Version', ({ status }) => status?.nodeInfo?.kubeletVersion ?? ''),
  wideColumn('Internal-IP', (node) => addressOf(node, 'InternalIP')),
  wideColumn('External-IP', (node) => addressOf(node, 'ExternalIP')),
  wideColumn('OS-Image', ({ status }) => orUnknown(status?.nodeInfo?.osImage)),
  wideColumn('Kernel-Version', ({ status }) => {
    const { kernelVersion = '', architecture = '' } = status?.nodeInfo ?? {};
    return architecture === '' ? orUnknown(kernelVersion) : `${orUnknown(kernelVersion)} (${architecture})`;
  }),
  wideColumn('Container-Runtime', ({ status }) => orUnknown(status?.nodeInfo?.containerRuntimeVersion)),
];

function orUnknown(text = ''): string {
  return text === '' ? '<unknown>' : text;
}

export const namespaceColumns: readonly TableColumn<Namespace>[] = [
  nameColumn,
  column('Status', ({ status }) => status?.phase),
  ageColumn,
];

export const leaseColumns: readonly TableColumn<Lease>[] = [
  nameColumn,
  column('Holder', ({ spec }) => spec?.holderIdentity ?? ''),
  ageColumn,
];

const rolePrefix = 'node-role.kubernetes.io/';

function addressOf({ status }: Node, type: string): string {
  return status?.addresses?.find((address) => address.type === type)?.address ?? '<none>';
}
