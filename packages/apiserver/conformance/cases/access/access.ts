// SPDX-License-Identifier: Apache-2.0
import { as, grant, rule } from '../../conversation/callers.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';

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

const hasRules =
  (count: number) =>
  ({ rules }: { rules?: object[] | null }): boolean =>
    (rules?.length ?? 0) === count;

/** Roles and their bindings. */
export const access: readonly ConformanceCase[] = [
  testCase('roles and cluster roles are created with what they say', async (api) => {
    await api.post(roles, role('reader:of-pods'));
    await api.post(roles, role('null', null));
    const rules = [{ nonResourceURLs: ['/healthz'], verbs: ['get'] }];
    await api.post(clusterRoles, { ...role(`${api.namespace}-a`, rules), kind: 'ClusterRole' });
  }),

  testCase('a role with what makes no sense is refused', async (api) => {
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

  testCase('a binding is created with its defaults and keeps its role', async (api) => {
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

  testCase('a binding with what makes no sense is refused', async (api) => {
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

  testCase('nobody grants by a role what it may not do itself', async (api) => {
    const jane = as('jane');
    const writing = {
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: ['roles'],
      verbs: ['create', 'update', 'patch'],
    };
    await grant(api, 'writer', 'jane', writing, rule('configmaps', 'get', 'list'));
    await api.eventually('configmaps', (_, status) => status === 200, {}, jane);
    await api.post(roles, role('held', [rule('configmaps', 'get')]), {}, jane);
    await api.post(
      roles,
      role('more', [rule('configmaps', 'get', 'delete', 'watch'), rule('pods/log', 'get')]),
      {},
      jane,
    );
    await api.post(roles, role('named', [{ ...rule('secrets', 'get'), resourceNames: ['a', 'b'] }]), {}, jane);
    await api.post(roles, role('star', [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]), {}, jane);
    await api.put(`${roles}/held`, role('held', [rule('configmaps', 'get', 'update')]), {}, jane);
    await api.patch('merge', `${roles}/held`, { metadata: { labels: { a: 'b' } } }, {}, jane);
    await api.patch('merge', `${roles}/writer`, { metadata: { finalizers: ['example.com/a'] } }, {}, as('joan'));
  }),

  testCase('who lacks what a role has may not change it, but for what holds it back', async (api) => {
    const jane = as('jane');
    const writing = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['patch', 'get'] };
    await api.post(roles, role('more', [rule('secrets', 'get')]));
    await grant(api, 'writer', 'jane', writing);
    await api.eventually(`${roles}/more`, (_, status) => status === 200, {}, jane);
    await api.patch('merge', `${roles}/more`, { metadata: { labels: { a: 'b' } } }, {}, jane);
    await api.patch('merge', `${roles}/more`, { metadata: { finalizers: ['example.com/a'] } }, {}, jane);
    await api.patch('merge', `${roles}/more`, { metadata: { finalizers: null } }, {}, jane);
    await api.patch('merge', `${roles}/more`, { rules: [rule('pods', 'get')] }, {}, jane);
  }),

  testCase('who may escalate writes any role', async (api) => {
    const jane = as('jane');
    const writing = {
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: ['roles'],
      verbs: ['create', 'escalate', 'get'],
    };
    await grant(api, 'writer', 'jane', writing);
    await api.eventually(`${roles}/a`, (_, status) => status === 404, {}, jane);
    await api.post(roles, role('a', [rule('secrets', 'get')]), {}, jane);
  }),

  testCase('nobody binds a role whose rules it does not have', async (api) => {
    const jane = as('jane');
    const writing = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['rolebindings'], verbs: ['create', 'get'] };
    await api.post(roles, role('small', [rule('configmaps', 'get')]));
    await api.post(roles, role('large', [rule('configmaps', 'get'), rule('secrets', 'get')]));
    await grant(api, 'writer', 'jane', writing, rule('configmaps', 'get'));
    await api.eventually(`${bindings}/a`, (_, status) => status === 404, {}, jane);
    await api.post(bindings, binding('a', { roleRef: { kind: 'Role', name: 'small' } }), {}, jane);
    await api.post(bindings, binding('b', { roleRef: { kind: 'Role', name: 'large' } }), {}, jane);
    await api.post(bindings, binding('c', { roleRef: { kind: 'Role', name: 'missing' } }), {}, jane);
    await api.post(bindings, binding('d', { roleRef: { kind: 'ClusterRole', name: 'missing' } }), {}, jane);
  }),

  testCase('who may bind a role binds it without having its rules', async (api) => {
    const jane = as('jane');
    const group = { apiGroups: ['rbac.authorization.k8s.io'] };
    await api.post(roles, role('large', [rule('secrets', 'get')]));
    await api.post(roles, role('other', [rule('secrets', 'get')]));
    await grant(
      api,
      'writer',
      'jane',
      { ...group, resources: ['rolebindings'], verbs: ['create', 'get'] },
      { ...group, resources: ['roles'], resourceNames: ['large'], verbs: ['bind'] },
    );
    await api.eventually(`${bindings}/a`, (_, status) => status === 404, {}, jane);
    await api.post(bindings, binding('a', { roleRef: { kind: 'Role', name: 'large' } }), {}, jane);
    await api.post(bindings, binding('b', { roleRef: { kind: 'Role', name: 'other' } }), {}, jane);
  }),

  testCase('a cluster role gathers the rules of those it selects', async (api) => {
    const { namespace } = api;
    const label = `${namespace}.example.com/gathered`;
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { [label]: 'true' } }] };
    const clusterRole = (name: string, rules: unknown, more: object = {}) => ({
      ...role(`${namespace}-${name}`, rules),
      kind: 'ClusterRole',
      ...more,
    });
    await api.post(clusterRoles, clusterRole('all', [rule('nodes', 'get')], { aggregationRule }));
    const gathered = { metadata: { name: `${namespace}-b`, labels: { [label]: 'true' } } };
    await api.post(clusterRoles, clusterRole('b', [rule('pods', 'list'), rule('pods', 'get')], gathered));
    await api.eventually(`${clusterRoles}/${namespace}-all`, hasRules(2));
    const also = { metadata: { name: `${namespace}-a`, labels: { [label]: 'true' } } };
    await api.post(clusterRoles, clusterRole('a', [rule('pods', 'get'), rule('secrets', 'get')], also));
    await api.eventually(`${clusterRoles}/${namespace}-all`, hasRules(3));
    await api.delete(`${clusterRoles}/${namespace}-b`);
    await api.delete(`${clusterRoles}/${namespace}-a`);
    await api.eventually(`${clusterRoles}/${namespace}-all`, hasRules(0));
  }),

  testCase('only who may do everything writes a cluster role that gathers', async (api) => {
    const { namespace } = api;
    const name = `${namespace}-writer`;
    const writing = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['create', 'get'] };
    await api.post(clusterRoles, { ...role(name, [writing]), kind: 'ClusterRole' });
    await api.post(clusterBindings, {
      ...binding(name, { roleRef: { kind: 'ClusterRole', name }, subjects: [{ kind: 'User', name }] }),
      kind: 'ClusterRoleBinding',
    });
    await api.eventually(`${clusterRoles}/${name}`, (_, status) => status === 200, {}, as(name));
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { [`${namespace}.example.com/a`]: 'true' } }] };
    const gathering = { ...role(`${namespace}-all`, []), kind: 'ClusterRole', aggregationRule };
    await api.post(clusterRoles, gathering, {}, as(name));
    await api.post(clusterRoles, { ...gathering, aggregationRule: { clusterRoleSelectors: [] } }, {}, as(name));
  }),
];
