// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import { ClusterRole, ClusterRoleBinding, ServiceAccount, type TokenRequest } from '@forge/kube/kinds/builtin.ts';
import type { KubeObject } from '@forge/kube/objects/object.ts';

const apiGroup = 'rbac.authorization.k8s.io';
const account = { namespace: 'default', name: 'prometheus' };

/** Creates the ServiceAccount of a scraper; returns its token. */
export async function createAccount(api: Client): Promise<string> {
  await api.create(ServiceAccount, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account });
  const request = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: account,
    spec: { audiences: [] },
  };
  const answer = await api.create<KubeObject>(ServiceAccount, request, { subresource: 'token' });
  return (answer as TokenRequest).status?.token ?? '';
}

/** Creates the role, and grants it to the account, or to another subject. */
export async function grantMetrics(
  api: Client,
  role: ClusterRole,
  subject: NonNullable<ClusterRoleBinding['subjects']>[number] = { kind: 'ServiceAccount', ...account },
): Promise<void> {
  await api.create(ClusterRole, role);
  await api.create(ClusterRoleBinding, {
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: account.name },
    roleRef: { apiGroup, kind: 'ClusterRole', name: role.metadata.name },
    subjects: [subject],
  });
}
