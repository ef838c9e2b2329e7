// SPDX-License-Identifier: Apache-2.0
import type { User } from '@forge/apiserver/messages/server-request.ts';
import type { Client } from '@forge/kube/client/client.ts';
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '@forge/kube/kinds/builtin.ts';
import type { Kind } from '@forge/kube/kinds/kind.ts';
import { accessRules, type AccessSource } from '@forge/runtime/manifests/access-rules.ts';

const apiGroup = 'rbac.authorization.k8s.io';
const apiVersion = `${apiGroup}/v1` as const;

/** The operator as a user of the API server. */
export const operatorUser = (name: string): User => ({ name, groups: ['system:authenticated'] });

/**
 * Grants the operator, named like its Lease, only the permissions that its controllers declare: tests run with no
 * others.
 */
export async function grantLeastPrivilege(client: Client, source: AccessSource): Promise<void> {
  const { namespace, name } = source.lease;
  const { clusterWide, ownNamespace } = accessRules(source);
  const subjects = [{ apiGroup, kind: 'User', name }];
  await client.create(ClusterRole, { apiVersion, kind: 'ClusterRole', metadata: { name }, rules: clusterWide });
  await client.create(ClusterRoleBinding, {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name },
    subjects,
  });
  await client.create(Role, { apiVersion, kind: 'Role', metadata: { name, namespace }, rules: ownNamespace });
  await client.create(RoleBinding, {
    apiVersion,
    kind: 'RoleBinding',
    metadata: { name, namespace },
    roleRef: { apiGroup, kind: 'Role', name },
    subjects,
  });
}

/** Removes a verb on a kind from the operator's role; returns a function that restores the role. */
export async function denyAccess(
  client: Client,
  name: string,
  verb: string,
  { group, plural }: Kind,
): Promise<() => Promise<unknown>> {
  const role = await client.get(ClusterRole, { name });
  const matches = (rule: { apiGroups?: readonly string[]; resources?: readonly string[] }) =>
    rule.apiGroups?.includes(group) === true && rule.resources?.includes(plural) === true;
  const rules = (role.rules ?? []).map((rule) =>
    matches(rule) ? { ...rule, verbs: rule.verbs.filter((each) => each !== verb) } : rule,
  );
  await client.update(ClusterRole, { ...role, rules });
  return () => client.patch(ClusterRole, { name }, 'merge', { rules: role.rules });
}
