// SPDX-License-Identifier: Apache-2.0
import type {
  CertificateSigningRequest,
  ClusterRoleBinding,
  ConfigMap,
  CustomResourceDefinition,
  Event,
  EventsEvent,
  Lease,
  MutatingWebhookConfiguration,
  Namespace,
  Node,
  PriorityClass,
  RoleBinding,
  Secret,
} from '@forge/kube/kinds/builtin.ts';
import { coreEventOf } from '../resources/event-conversion.ts';
import {
  age,
  ageColumn,
  column,
  countColumn,
  humanDuration,
  nameColumn,
  wideColumn,
  type TableColumn,
} from '../resources/table-column.ts';

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

export const secretColumns: readonly TableColumn<Secret>[] = [
  nameColumn,
  column('Type', ({ type }) => type),
  column('Data', ({ data = {} }) => Object.keys(data).length),
  ageColumn,
];

export const configMapColumns: readonly TableColumn<ConfigMap>[] = [
  nameColumn,
  column('Data', ({ data = {}, binaryData = {} }) => Object.keys(data).length + Object.keys(binaryData).length),
  ageColumn,
];

export const eventColumns: readonly TableColumn<Event>[] = [
  column('Last Seen', (event, now) =>
    age(event.series?.lastObservedTime ?? event.lastTimestamp ?? firstSeen(event), now),
  ),
  column('Type', ({ type }) => type ?? ''),
  column('Reason', ({ reason }) => reason ?? ''),
  column('Object', ({ involvedObject: { kind = '', name = '' } }) =>
    name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`,
  ),
  wideColumn('Subobject', ({ involvedObject }) => involvedObject.fieldPath ?? ''),
  wideColumn('Source', ({ source, reportingComponent, reportingInstance }) => {
    const component = firstText(source?.component, reportingComponent);
    const host = firstText(source?.host, reportingInstance);
    return host === '' ? component : `${component}, ${host}`;
  }),
  column('Message', ({ message = '' }) => message.trim()),
  wideColumn('First Seen', (event, now) => age(firstSeen(event), now)),
  wideColumn('Count', ({ series, count }) => series?.count ?? (count === undefined || count === 0 ? 1 : count)),
  column('Name', ({ metadata }) => metadata.name, { format: 'name', priority: 1 }),
];

/** events.k8s.io has the columns of the core group. */
export const eventsEventColumns: readonly TableColumn<EventsEvent>[] = eventColumns.map((each) => ({
  ...each,
  cell: (event, now) => each.cell(coreEventOf(event), now),
}));

export const signingRequestColumns: readonly TableColumn<CertificateSigningRequest>[] = [
  nameColumn,
  ageColumn,
  column('SignerName', ({ spec }) => (spec.signerName === '' ? '<none>' : spec.signerName)),
  column('Requestor', ({ spec }) => spec.username ?? ''),
  column('RequestedDuration', ({ spec }) =>
    spec.expirationSeconds === undefined ? '<none>' : humanDuration(spec.expirationSeconds * 1000),
  ),
  column('Condition', ({ status }) => {
    const has = (wanted: string): boolean => status?.conditions?.some(({ type }) => type === wanted) === true;
    const verdict = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
    const isIssued = (status?.certificate ?? '') !== '';
    return [verdict, ...(has('Failed') ? ['Failed'] : []), ...(isIssued ? ['Issued'] : [])].join(',');
  }),
];

const createdAtColumn: TableColumn = column('Created At', ({ metadata }) => metadata.creationTimestamp, {
  type: 'date',
});

export const definitionColumns: readonly TableColumn<CustomResourceDefinition>[] = [nameColumn, createdAtColumn];

export const roleColumns: readonly TableColumn[] = [nameColumn, createdAtColumn];

export const leaseColumns: readonly TableColumn<Lease>[] = [
  nameColumn,
  column('Holder', ({ spec }) => spec?.holderIdentity ?? ''),
  ageColumn,
];

export const roleBindingColumns: readonly TableColumn<RoleBinding | ClusterRoleBinding>[] = [
  nameColumn,
  column('Role', ({ roleRef }) => `${roleRef.kind}/${roleRef.name}`),
  ageColumn,
  wideColumn('Users', (binding) => subjectsOf(binding, 'User')),
  wideColumn('Groups', (binding) => subjectsOf(binding, 'Group')),
  wideColumn('ServiceAccounts', (binding) => subjectsOf(binding, 'ServiceAccount')),
];

export const webhookConfigurationColumns: readonly TableColumn<MutatingWebhookConfiguration>[] = [
  nameColumn,
  countColumn('Webhooks', ({ webhooks = [] }) => webhooks.length),
  ageColumn,
];

export const priorityClassColumns: readonly TableColumn<PriorityClass>[] = [
  nameColumn,
  countColumn('Value', ({ value }) => value),
  column('Global-Default', ({ globalDefault = false }) => globalDefault, { type: 'boolean' }),
  ageColumn,
  column('PreemptionPolicy', ({ preemptionPolicy }) => preemptionPolicy),
];

const rolePrefix = 'node-role.kubernetes.io/';

function addressOf({ status }: Node, type: string): string {
  return status?.addresses?.find((address) => address.type === type)?.address ?? '<none>';
}

function firstText(...texts: readonly (string | undefined)[]): string {
  return texts.find((text = '') => text !== '') ?? '';
}

function firstSeen({ firstTimestamp, eventTime }: Event): string | undefined {
  return firstTimestamp ?? eventTime;
}

function subjectsOf({ subjects = [] }: RoleBinding | ClusterRoleBinding, kind: string): string {
  return subjects
    .filter((subject) => subject.kind === kind)
    .map(({ name, namespace }) => (namespace === undefined ? name : `${namespace}/${name}`))
    .join(', ');
}
