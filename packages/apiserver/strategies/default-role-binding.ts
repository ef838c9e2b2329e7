// SPDX-License-Identifier: Apache-2.0
import type { ClusterRoleBinding, RoleBinding } from '@forge/kube/builtin.ts';

const rbac = 'rbac.authorization.k8s.io';

/** A binding whose users, groups and role say which API they are of. */
export function defaultRoleBinding<T extends RoleBinding | ClusterRoleBinding>(binding: T): T {
  const { subjects, roleRef } = binding;
  return {
    ...binding,
    roleRef: { ...roleRef, apiGroup: roleRef.apiGroup === '' ? rbac : roleRef.apiGroup },
    ...(subjects !== undefined && {
      subjects: subjects.map((subject) =>
        subject.kind === 'ServiceAccount' ? subject : { apiGroup: rbac, ...subject },
      ),
    }),
  };
}
