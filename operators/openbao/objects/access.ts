// SPDX-License-Identifier: Apache-2.0
import { Pod, type Role, type RoleBinding, type ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import type { Grant } from '@forge/runtime/steps/owned.ts';
import { componentLabel, components, labelsOf, namesOf } from '../api/names.ts';
import type { OpenBaoCluster } from '../api/openbao-cluster.ts';

const apiGroup = 'rbac.authorization.k8s.io';

/** The ServiceAccount of the servers; only their container gets a token. */
export function serverServiceAccount(cluster: OpenBaoCluster): ServiceAccount {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: namesOf(cluster).serviceAccount, labels: labelsOf(cluster) },
    automountServiceAccountToken: false,
  };
}

/** The ServiceAccounts of backup and upgrade Jobs, by name; undefined where the spec needs none. */
export function jobServiceAccounts(cluster: OpenBaoCluster): Readonly<Record<string, ServiceAccount | undefined>> {
  const { backupServiceAccount, upgradeServiceAccount } = namesOf(cluster);
  const { backup, upgrade } = cluster.spec;
  const account = (name: string, component: string): ServiceAccount => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, labels: { ...labelsOf(cluster), [componentLabel]: component } },
    automountServiceAccountToken: false,
  });
  return {
    [backupServiceAccount]: backup && account(backupServiceAccount, components.backup),
    [upgradeServiceAccount]:
      upgrade?.jwtAuthRole === undefined ? undefined : account(upgradeServiceAccount, components.upgrade),
  };
}

/** The permissions of the servers: to find each other, and to write labels on their pods. */
export const serverPermissions: Grant = { kind: Pod, verbs: ['get', 'list', 'watch', 'patch', 'update'] };

/** Grants these permissions. */
export function serverRole(cluster: OpenBaoCluster): Role {
  return {
    apiVersion: `${apiGroup}/v1`,
    kind: 'Role',
    metadata: { name: namesOf(cluster).role, labels: labelsOf(cluster) },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: [...serverPermissions.verbs] }],
  };
}

/** Grants them to the servers. */
export function serverRoleBinding(cluster: OpenBaoCluster): RoleBinding {
  const { roleBinding, role, serviceAccount } = namesOf(cluster);
  return {
    apiVersion: `${apiGroup}/v1`,
    kind: 'RoleBinding',
    metadata: { name: roleBinding, labels: labelsOf(cluster) },
    subjects: [{ kind: 'ServiceAccount', name: serviceAccount, namespace: cluster.metadata.namespace ?? '' }],
    roleRef: { apiGroup, kind: 'Role', name: role },
  };
}
