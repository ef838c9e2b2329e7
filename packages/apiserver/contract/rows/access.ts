// SPDX-License-Identifier: Apache-2.0
import { row, type Row } from '../row.ts';

const apiVersion = 'rbac.authorization.k8s.io/v1';
const roles = 'rbac.authorization.k8s.io/v1/roles';
const bindings = 'rbac.authorization.k8s.io/v1/rolebindings';
const clusterRoles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const clusterBindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';

function role(name: string, rules: unknown = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]) {
  return { apiVersion, kind: 'Role', metadata: { name }, rules };
}

function binding(name: string, more: object = {}) {
  const roleRef = { kind: 'Role', name: 'reader' };
  return {
    apiVersion,
    kind: 'RoleBinding',
    metadata: { name },
    roleRef,
    subjects: [{ kind: 'User', name: 'u' }],
    ...more,
  };
}

/** Roles and their bindings. */
export const access: readonly Row[] = [
  row('roles and cluster roles are created with what they say', async (api) => {
    await api.post(roles, role('reader:of-pods'));
    await api.post(roles, role('null', null));
    const rules = [{ nonResourceURLs: ['/healthz'], verbs: ['get'] }];
    await api.post(clusterRoles, { ...role(`${api.namespace}-a`, rules), kind: 'ClusterRole' });
  }),

  row('a role with what makes no sense is refused', async (api) => {
    await api.post(roles, role('a/b'));
    await api.post(roles, role('a', [{}]));
    await api.post(roles, role('a', [{ verbs: ['get'] }]));
    await api.post(
      roles,
      role('a', [
        { apiGroups: [''], verbs: ['get'] },
        { resources: ['pods'], verbs: ['get'] },
      ]),
    );
    await api.post(roles, role('a', [{ nonResourceURLs: ['/healthz'], verbs: ['get'] }]));
    const both = { nonResourceURLs: ['/healthz'], apiGroups: [''], resources: ['pods'], verbs: ['get'] };
    await api.post(clusterRoles, { ...role(`${api.namespace}-a`, [both]), kind: 'ClusterRole' });
  }),

  row('a binding is created with its defaults and keeps its role', async (api) => {
    const subjects = [
      { kind: 'User', name: 'u' },
      { kind: 'Group', name: 'g' },
      { kind: 'ServiceAccount', name: 's', namespace: 'default' },
    ];
    await api.post(roles, role('reader'));
    await api.post(bindings, binding('a', { subjects }));
    await api.put(`${bindings}/a`, binding('a', { subjects: [] }));
    await api.put(`${bindings}/a`, binding('a', { roleRef: { kind: 'Role', name: 'b' } }));
    const clusterRole = { kind: 'ClusterRole', name: 'view' };
    await api.post(clusterBindings, {
      ...binding(`${api.namespace}-a`, { roleRef: clusterRole, subjects }),
      kind: 'ClusterRoleBinding',
    });
  }),

  row('a binding with what makes no sense is refused', async (api) => {
    for (const more of [
      { roleRef: undefined },
      { roleRef: { kind: 'Deployment', name: 'a/b', apiGroup: 'apps' } },
      { roleRef: { kind: 'Role' } },
      { subjects: [{ kind: 'User' }, { kind: 'Robot', name: 'r' }] },
      { subjects: [{ kind: 'ServiceAccount', name: 'No_Name' }] },
      {
        subjects: [
          { kind: 'User', name: 'u', apiGroup: 'apps' },
          { kind: 'Group', name: 'g', apiGroup: 'apps' },
        ],
      },
    ]) {
      await api.post(bindings, binding('a', more));
    }
    await api.post(clusterBindings, { ...binding(`${api.namespace}-a`), kind: 'ClusterRoleBinding' });
  }),
];
