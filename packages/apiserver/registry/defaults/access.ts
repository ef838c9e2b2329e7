// SPDX-License-Identifier: Apache-2.0
import type { RoleRef, Subject } from '@forge/kube/generated/types.ts';
import type { RoleBinding, ClusterRoleBinding, ClusterRole, Role } from '@forge/kube/kinds/builtin.ts';
import { defaults, eachItem, unset } from './defaults.ts';

const rbac = { apiGroup: 'rbac.authorization.k8s.io' };

const roleRef = defaults<RoleRef>(rbac);

const named = defaults<Subject>(rbac);

const subjects = eachItem<Subject>((subject) =>
  subject.kind === 'User' || subject.kind === 'Group' ? named(subject) : subject,
);

/** Defaults of role bindings: apiGroup of role and subjects. */
export const defaultRoleBinding = defaults<RoleBinding>({}, { roleRef, subjects });

/** Defaults of cluster role bindings: apiGroup of role and subjects. */
export const defaultClusterRoleBinding = defaults<ClusterRoleBinding>({}, { roleRef, subjects });

export const fillClusterRole = defaults<ClusterRole>({ rules: unset });

export const fillRole = defaults<Role>({ rules: unset });
