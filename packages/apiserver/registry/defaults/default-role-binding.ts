// SPDX-License-Identifier: Apache-2.0
import type { RoleRef, Subject } from '@forge/kube/generated/types.ts';
import type { ClusterRoleBinding, RoleBinding } from '@forge/kube/kinds/builtin.ts';
import { defaults, eachItem } from './defaults.ts';

const rbac = { apiGroup: 'rbac.authorization.k8s.io' };
const roleRef = defaults<RoleRef>(rbac);
const named = defaults<Subject>(rbac);
const subjects = eachItem<Subject>((subject) =>
  subject.kind === 'User' || subject.kind === 'Group' ? named(subject) : subject,
);

/** A binding whose users, groups and role say which API they are of. */
export const defaultRoleBinding = defaults<RoleBinding>({}, { roleRef, subjects });

/** A cluster role binding whose users, groups and role say which API they are of. */
export const defaultClusterRoleBinding = defaults<ClusterRoleBinding>({}, { roleRef, subjects });
