// SPDX-License-Identifier: Apache-2.0
import type { ClusterRoleBinding, RoleBinding } from '@forge/kube/kinds/builtin.ts';
import { nameColumn, type TableColumn, ageColumn, column, wideColumn } from '../resources/table-column.ts';
import { createdAtColumn } from './created-at-column.ts';

export const roleColumns: readonly TableColumn[] = [nameColumn, createdAtColumn];

export const roleBindingColumns: readonly TableColumn<RoleBinding | ClusterRoleBinding>[] = [
  nameColumn,
  column('Role', ({ roleRef }) => `${roleRef.kind}/${roleRef.name}`),
  ageColumn,
  wideColumn('Users', (binding) => subjectsOf(binding, 'User')),
  wideColumn('Groups', (binding) => subjectsOf(binding, 'Group')),
  wideColumn('ServiceAccounts', (binding) => subjectsOf(binding, 'ServiceAccount')),
];

function subjectsOf({ subjects = [] }: RoleBinding | ClusterRoleBinding, kind: string): string {
  return subjects
    .filter((subject) => subject.kind === kind)
    .map(({ name, namespace }) => (namespace === undefined ? name : `${namespace}/${name}`))
    .join(', ');
}
