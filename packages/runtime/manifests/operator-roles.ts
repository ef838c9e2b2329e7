// SPDX-License-Identifier: Apache-2.0
import type { PolicyRule } from '@forge/kube/generated/types.ts';
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '@forge/kube/kinds/builtin.ts';
import type { AccessRules } from './access-rules.ts';

const apiGroup = 'rbac.authorization.k8s.io';
const apiVersion = `${apiGroup}/v1`;

/** Where the operator's account is. */
interface Account {
  name: string;
  namespace: string;
}

/** The roles of an operator that works in all namespaces, bound to its account. */
export function operatorRoles(account: Account, { clusterWide, ownNamespace, elsewhere }: AccessRules) {
  return [
    ...boundClusterRole(account, account.name, account.name, clusterWide),
    ...boundRole(account, ownNamespace),
    ...readerRoles(account, elsewhere),
  ];
}

/**
 * The roles of an operator that does not work everywhere: in its own namespace, and for what has no namespace. Several
 * such operators in one cluster share that ClusterRole, and the Roles in namespaces that all of them read.
 */
export function narrowRoles(account: Account, { clusterWide, ownNamespace, elsewhere }: AccessRules) {
  const { name, namespace } = account;
  const shared = `${name}-cluster`;
  return [
    ...boundRole(account, ownNamespace),
    ...readerRoles(account, elsewhere),
    ...boundClusterRole(account, shared, `${shared}-${namespace}`, clusterWide),
  ];
}

/** For scrapers: a ClusterRole that allows reading the metrics, not bound to anyone. */
export function metricsReader(name: string): ClusterRole {
  const rules = [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }];
  return { apiVersion, kind: 'ClusterRole', metadata: { name: `${name}-metrics-reader` }, rules };
}

/** A ClusterRole, and its binding to the account. */
export function boundClusterRole(
  account: Account,
  name: string,
  bindingName: string,
  rules: PolicyRule[],
): [ClusterRole, ClusterRoleBinding] {
  return [
    { apiVersion, kind: 'ClusterRole', metadata: { name }, rules },
    {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name: bindingName },
      roleRef: { apiGroup, kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    },
  ];
}

/** The Role of an operator in a namespace that it watches, to be applied there, and its binding. */
export function watchedRole(account: Account, rules: PolicyRule[]): [Role, RoleBinding] {
  // Beside the Role in its own namespace, should that be watched, too.
  return boundRole(account, rules, { name: `${account.name}-watched` });
}

/** The Roles in namespaces that are read wherever the operator works; several operators of this name may be bound to one. */
function readerRoles(account: Account, elsewhere: AccessRules['elsewhere']): (Role | RoleBinding)[] {
  const name = `${account.name}-reader`;
  return elsewhere.flatMap(({ namespace, rules }) =>
    boundRole(account, rules, { name, namespace }, `${name}-${account.namespace}`),
  );
}

function boundRole(
  account: Account,
  rules: PolicyRule[],
  metadata: { name: string; namespace?: string } = account,
  bindingName = metadata.name,
): [Role, RoleBinding] {
  return [
    { apiVersion, kind: 'Role', metadata, rules },
    {
      apiVersion,
      kind: 'RoleBinding',
      metadata: { ...metadata, name: bindingName },
      roleRef: { apiGroup, kind: 'Role', name: metadata.name },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    },
  ];
}
