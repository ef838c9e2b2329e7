// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { PolicyRule } from '@forge/kube/generated/types.ts';
import { ClusterRole, ClusterRoleBinding } from '@forge/kube/kinds/builtin.ts';

const metadata = { name: 'forge:node' };
const apiGroup = 'rbac.authorization.k8s.io';
const apiVersion = `${apiGroup}/v1`;
const options = { fieldManager: 'forge', force: true };
const verbs = ['list', 'watch'];

/** For what this node does besides the work of a kubelet: route Services, filter traffic, remove folders of volumes. */
const rules: PolicyRule[] = [
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs },
  { apiGroups: ['networking.k8s.io'], resources: ['networkpolicies'], verbs },
  { apiGroups: [''], resources: ['namespaces', 'persistentvolumes'], verbs },
];

/** Grants a node the permissions that the node authorizer does not. */
export async function allowNode(client: Client, nodeName: string): Promise<void> {
  await client.apply(ClusterRole, { apiVersion, kind: 'ClusterRole', metadata, rules }, options);
  const binding: ClusterRoleBinding = {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata,
    roleRef: { apiGroup, kind: 'ClusterRole', name: metadata.name },
    subjects: [{ apiGroup, kind: 'User', name: `system:node:${nodeName}` }],
  };
  await client.apply(ClusterRoleBinding, binding, options);
}
