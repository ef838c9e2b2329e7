// SPDX-License-Identifier: Apache-2.0
import type { Role, RoleBinding, ServiceAccount } from '@forge/kube/kinds/builtin.ts';
import type { Keystone } from '../../api/keystone.ts';
import { commonLabels, keyNamesOf, type KeyType } from '../../api/names.ts';

const apiGroup = 'rbac.authorization.k8s.io';

/** Who the rotation Job is, and what it may do: read both Secrets, write the staging one. */
export function rotationAccess(keystone: Keystone, keyType: KeyType): readonly [ServiceAccount, Role, RoleBinding] {
  const { rotate: name, keys, staging } = keyNamesOf(keystone, keyType);
  const metadata = { name, labels: commonLabels(keystone) };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    {
      apiVersion: `${apiGroup}/v1`,
      kind: 'Role',
      metadata,
      rules: [
        { apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: [keys] },
        { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'patch'], resourceNames: [staging] },
      ],
    },
    {
      apiVersion: `${apiGroup}/v1`,
      kind: 'RoleBinding',
      metadata,
      subjects: [{ kind: 'ServiceAccount', name, namespace: keystone.metadata.namespace ?? '' }],
      roleRef: { apiGroup, kind: 'Role', name },
    },
  ];
}
