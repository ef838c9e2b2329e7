// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { ClusterRole, ClusterRoleBinding } from '@forge/kube/kinds/builtin.ts';

const name = 'forge:network-policies';
const apiGroup = 'rbac.authorization.k8s.io';
const apiVersion = `${apiGroup}/v1`;
const options = { fieldManager: 'forge', force: true };

/**
 * Lets nodes read what decides about traffic: no role of Kubernetes does, because network plugins bring their own. A node
 * reads the labels of its own pods anyway.
 */
export async function allowPolicyAccess(client: Client): Promise<void> {
  const verbs = ['list', 'watch'];
  const rules = [
    { apiGroups: [''], resources: ['namespaces'], verbs },
    { apiGroups: ['networking.k8s.io'], resources: ['networkpolicies'], verbs },
  ];
  await client.apply(ClusterRole, { apiVersion, kind: 'ClusterRole', metadata: { name }, rules }, options);
  const binding: ClusterRoleBinding = {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name },
    subjects: [{ apiGroup, kind: 'Group', name: 'system:nodes' }],
  };
  await client.apply(ClusterRoleBinding, binding, options);
}
