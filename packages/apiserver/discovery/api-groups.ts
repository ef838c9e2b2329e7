// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { compareVersions } from '../resources/compare-versions.ts';
import { storedGroup, type Resource } from '../resources/resource.ts';
import { operationsOf } from '../routing/operations.ts';

/** The response of /api. */
export const coreVersions = {
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '' }],
};

/** The response of /apis. */
export function apiGroups(resources: readonly Resource[]): object {
  const groups = groupNames(resources).filter((group) => group !== '');
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map((group) => describeGroup(resources, group)) };
}

/** The response of /apis/{group}; undefined when there is no such group. */
export function apiGroup(resources: readonly Resource[], group: string): object | undefined {
  const known = group !== '' && groupNames(resources).includes(group);
  return known ? { kind: 'APIGroup', apiVersion: 'v1', ...describeGroup(resources, group) } : undefined;
}

/** The response of /api/v1 and /apis/{group}/{version}; undefined when there is no such version. */
export function resourceList(resources: readonly Resource[], group: string, version: string): object | undefined {
  const members = membersOf(resources, group, version);
  if (members.length === 0) return undefined;
  const resourcesOf = { resources: members.flatMap(describeResource) };
  // The core group's list has no apiVersion.
  if (group === '') return { kind: 'APIResourceList', groupVersion: version, ...resourcesOf };
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${group}/${version}`, ...resourcesOf };
}

/** The resources of a version, sorted by name. */
export function membersOf(resources: readonly Resource[], group: string, version: string): Resource[] {
  return resources
    .filter(({ kind }) => kind.group === group && kind.version === version)
    .toSorted((a, b) => (a.kind.plural < b.kind.plural ? -1 : 1));
}

/** The groups in kube-apiserver's order, which determines how short names resolve; then all others. */
export function groupNames(resources: readonly Resource[]): string[] {
  const names = new Set(resources.map(({ kind }) => kind.group));
  const own = precedence.filter((name) => names.has(name));
  return [...own, ...[...names].filter((name) => !precedence.includes(name)).toSorted()];
}

const precedence = [
  '',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'resource.k8s.io',
];

/** The versions of a group, the preferred one first. */
export function versionsOf(resources: readonly Resource[], group: string): string[] {
  const versions = resources.filter(({ kind }) => kind.group === group).map(({ kind }) => kind.version);
  return [...new Set(versions)].toSorted(compareVersions);
}

/** A subresource in discovery. */
export interface Subresource {
  name: string;
  responseKind: { group: string; version: string; kind: string };
  verbs: string[];
}

/** The subresources of a resource. */
export function subresourcesOf(resource: Resource): Subresource[] {
  const { group, version, kind } = resource.kind;
  return (resource.custom ? customSubresources : subresources).flatMap((name) => {
    const operations = operationsOf(resource, name);
    const responseKind = responseKinds[name] ?? { group, version, kind };
    return operations === undefined ? [] : [{ name, responseKind, verbs: Object.keys(operations).toSorted() }];
  });
}

const customSubresources = ['status', 'scale'];
const subresources = [
  'approval',
  'attach',
  'binding',
  'ephemeralcontainers',
  'eviction',
  'exec',
  'finalize',
  'log',
  'portforward',
  'proxy',
  'scale',
  'status',
  'token',
];

const customVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** The verbs of a resource; those of custom resources have a different order. */
export function verbsOf(resource: Resource): string[] {
  if (resource.custom) return customVerbs;
  return Object.keys(operationsOf(resource, undefined) ?? {}).toSorted();
}

const responseKinds: Readonly<Record<string, Subresource['responseKind']>> = {
  attach: { group: '', version: 'v1', kind: 'PodAttachOptions' },
  binding: { group: '', version: 'v1', kind: 'Binding' },
  eviction: { group: 'policy', version: 'v1', kind: 'Eviction' },
  exec: { group: '', version: 'v1', kind: 'PodExecOptions' },
  portforward: { group: '', version: 'v1', kind: 'PodPortForwardOptions' },
  proxy: { group: '', version: 'v1', kind: 'ServiceProxyOptions' },
  scale: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  token: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
};

function describeGroup(resources: readonly Resource[], name: string): object {
  const versions = versionsOf(resources, name).map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions, preferredVersion: versions[0] };
}

function describeResource(resource: Resource): object[] {
  const { plural, singular, scope, kind, shortNames, categories, group, version } = resource.kind;
  const namespaced = scope === 'Namespaced';
  return [
    {
      name: plural,
      singularName: singular,
      namespaced,
      kind,
      verbs: verbsOf(resource),
      ...(shortNames.length > 0 && { shortNames }),
      ...(categories.length > 0 && { categories }),
      // Reviews are not stored.
      ...(verbsOf(resource).includes('get') && { storageVersionHash: storageHash(resource) }),
    },
    ...subresourcesOf(resource).map(({ name, responseKind, verbs }) => ({
      name: `${plural}/${name}`,
      singularName: '',
      namespaced,
      ...((responseKind.group !== group || responseKind.version !== version) && {
        group: responseKind.group,
        version: responseKind.version,
      }),
      kind: responseKind.kind,
      verbs,
    })),
  ];
}

/** Lets clients detect a changed storage version. */
function storageHash(resource: Resource): string {
  const {
    kind: { kind },
    storageVersion,
  } = resource;
  // Kubernetes computes the hash of definitions with v1beta1.
  const stored = kind === 'CustomResourceDefinition' ? 'v1beta1' : storageVersion;
  const hash = createHash('sha256').update(`${storedGroup(resource)}/${stored}/${kind}`);
  return hash.digest().subarray(0, 8).toString('base64');
}
