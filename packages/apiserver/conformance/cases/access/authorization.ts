// SPDX-License-Identifier: Apache-2.0
import { as, binding, grant, role, rule } from '../../conversation/callers.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { configMap, deployment } from '../../objects/objects.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const roles = 'rbac.authorization.k8s.io/v1/roles';
const bindings = 'rbac.authorization.k8s.io/v1/rolebindings';
const clusterRoles = `${rbac}/clusterroles`;
const clusterBindings = `${rbac}/clusterrolebindings`;

const allowed = (_: unknown, status: number): boolean => status !== 403;

const isMissing = ({ message = '' }: { message?: string }): boolean => message.includes('missing');

/** Authorization by roles and bindings. */
export const authorization: readonly ConformanceCase[] = [
  testCase('a stranger is refused whatever it wants to do with objects', async (api) => {
    const jane = as('jane');
    await api.get('configmaps', {}, jane);
    await api.get('configmaps', { watch: 'true' }, jane);
    await api.get('configmaps/a', {}, jane);
    await api.post('configmaps', configMap('a'), {}, jane);
    await api.put('configmaps/a', configMap('a'), {}, jane);
    await api.patch('merge', 'configmaps/a', {}, {}, jane);
    await api.delete('configmaps/a', undefined, {}, jane);
    await api.delete('configmaps', undefined, {}, jane);
    await api.get('configmaps', { fieldSelector: 'metadata.name=a' }, jane);
  }),

  testCase('a stranger is refused parts of objects, groups and the whole cluster', async (api) => {
    const jane = as('jane');
    await api.get('pods/a/log', {}, jane);
    await api.put('apps/v1/deployments/a/status', deployment('a'), {}, jane);
    await api.get('apps/v1/deployments/a/scale', {}, jane);
    await api.post('serviceaccounts/default/token', {}, {}, jane);
    await api.get('/api/v1/nodes', {}, jane);
    await api.get('/api/v1/nodes/a', {}, jane);
    await api.get('/api/v1/configmaps', {}, jane);
    await api.get(`/api/v1/namespaces/${api.namespace}`, {}, jane);
    await api.put(`/api/v1/namespaces/${api.namespace}/finalize`, {}, {}, jane);
    await api.get('/api/v1/namespaces', {}, jane);
  }),

  testCase('a stranger is refused before it is told that there is nothing', async (api) => {
    const jane = as('jane');
    await api.get('nothings', {}, jane);
    await api.get('example.com/v1/widgets/a', {}, jane);
    await api.get('/nothing', {}, jane);
    await api.post('/nothing', {}, {}, jane);
    await api.get('/<b>', {}, as('<jane>'));
  }),

  testCase('whoever is known is told what the server serves', async (api) => {
    await api.get('/api', {}, as('jane'));
    await api.get('/apis/apps', {}, as('jane'));
    await api.get('/healthz', {}, as('jane'));
    await api.get('/api', {}, as('jane', 'system:unauthenticated'));
    await api.get('/livez', {}, as('system:anonymous'));
  }),

  testCase('a role grants in its namespace what it says', async (api) => {
    const jane = as('jane');
    await api.post('configmaps', configMap('a'));
    await grant(api, 'reader', 'jane', rule('configmaps', 'get', 'list'));
    await api.eventually('configmaps', allowed, {}, jane);
    await api.get('configmaps/a', {}, jane);
    await api.delete('configmaps/a', undefined, {}, jane);
    await api.get('/api/v1/namespaces/default/configmaps', {}, jane);
    await api.get('configmaps', {}, as('joan'));
    await api.delete(`${bindings}/reader`);
    await api.eventually('configmaps', (_, status) => status === 403, {}, jane);
  }),

  testCase('a changed role counts at once', async (api) => {
    await grant(api, 'reader', 'jane', rule('configmaps', 'list'));
    await api.eventually('configmaps', allowed, {}, as('jane'));
    await api.put(`${roles}/reader`, role('reader', [rule('secrets', 'list')]));
    await api.eventually('configmaps', (_, status) => status === 403, {}, as('jane'));
    await api.get('secrets', { fieldSelector: 'type=none' }, as('jane'));
  }),

  testCase('a cluster role is granted where it is bound', async (api) => {
    const name = `${api.namespace}-a`;
    const to = { kind: 'ClusterRole', name };
    await api.post(clusterRoles, role(name, [rule('configmaps', 'list'), rule('nodes', 'get')], 'ClusterRole'));
    await api.post(bindings, binding('a', 'jane', to));
    await api.eventually('configmaps', allowed, {}, as('jane'));
    await api.get('/api/v1/nodes/a', {}, as('jane'));
    await api.post(clusterBindings, binding(name, name, to, 'ClusterRoleBinding'));
    await api.eventually('/api/v1/nodes/a', allowed, {}, as(name));
    await api.get('configmaps', { labelSelector: 'none' }, as(name));
  }),

  testCase('groups and service accounts are granted too', async (api) => {
    const { namespace } = api;
    await api.post(roles, role('reader', [rule('configmaps', 'get')]));
    await api.post(bindings, {
      ...binding('a', 'nobody', { kind: 'Role', name: 'reader' }),
      subjects: [
        { kind: 'Group', name: 'readers', apiGroup: 'rbac.authorization.k8s.io' },
        { kind: 'ServiceAccount', name: 'robot', namespace },
      ],
    });
    await api.eventually('configmaps/a', allowed, {}, as('jane', 'readers'));
    await api.get('configmaps/a', {}, as(`system:serviceaccount:${namespace}:robot`));
    await api.get('configmaps/a', {}, as('jane', 'writers'));
    await api.get('configmaps/a', {}, as(`system:serviceaccount:default:robot`));
    await api.get('configmaps/a', {}, as('robot'));
  }),

  testCase('a rule may name the objects it is about', async (api) => {
    const jane = as('jane');
    const named = { ...rule('configmaps', 'get', 'list', 'create', 'delete'), resourceNames: ['a'] };
    await grant(api, 'one', 'jane', named);
    await api.eventually('configmaps/a', allowed, {}, jane);
    await api.get('configmaps/b', {}, jane);
    await api.get('configmaps', {}, jane);
    await api.get('configmaps', { fieldSelector: 'metadata.name=a' }, jane);
    await api.post('configmaps', configMap('a'), {}, jane);
    await api.delete('configmaps', undefined, {}, jane);
  }),

  testCase('stars stand for everything, and for the parts of everything', async (api) => {
    await api.post('apps/v1/deployments', deployment('a'));
    await grant(api, 'parts', 'jane', { apiGroups: ['*'], resources: ['*/scale'], verbs: ['*'] });
    await grant(api, 'all', 'joan', { apiGroups: ['apps'], resources: ['*'], verbs: ['get'] });
    await api.eventually('apps/v1/deployments/a/scale', allowed, {}, as('jane'));
    await api.get('apps/v1/deployments/a', {}, as('jane'));
    await api.get('apps/v1/deployments/a/status', {}, as('jane'));
    await api.eventually('apps/v1/deployments/b', allowed, {}, as('joan'));
    await api.get('apps/v1/deployments/b/status', {}, as('joan'));
    await api.get('configmaps/a', {}, as('joan'));
  }),

  testCase('parts of objects are granted by their own names', async (api) => {
    await grant(api, 'whole', 'jane', rule('pods', 'get'));
    await grant(api, 'part', 'joan', rule('pods/log', 'get'));
    await api.eventually('pods/a', allowed, {}, as('jane'));
    await api.get('pods/a/log', {}, as('jane'));
    await api.eventually('pods/a/log', allowed, {}, as('joan'));
    await api.get('pods/a', {}, as('joan'));
  }),

  testCase('paths outside the API are granted one by one or by their beginning', async (api) => {
    const name = `${api.namespace}-a`;
    const rules = [{ nonResourceURLs: [`/${name}`, `/${name}/*`], verbs: ['get'] }];
    await api.post(clusterRoles, role(name, rules, 'ClusterRole'));
    await api.post(clusterBindings, binding(name, name, { kind: 'ClusterRole', name }, 'ClusterRoleBinding'));
    await api.eventually(`/${name}`, allowed, {}, as(name));
    await api.get(`/${name}/deep/down`, {}, as(name));
    await api.get(`/${name}-b`, {}, as(name));
    await api.post(`/${name}`, {}, {}, as(name));
  }),

  testCase('a role that is missing is told of', async (api) => {
    await api.post(bindings, binding('a', 'jane', { kind: 'Role', name: 'missing' }));
    await api.eventually('configmaps', isMissing, {}, as('jane'));
    await api.post(bindings, binding('b', 'joan', { kind: 'ClusterRole', name: 'missing' }));
    await api.eventually('configmaps', isMissing, {}, as('joan'));
  }),

  testCase('who applies what is not there must be allowed to create it', async (api) => {
    const apply = { ...as('jane'), 'content-type': 'application/apply-patch+yaml' };
    await grant(api, 'patcher', 'jane', rule('configmaps', 'patch', 'get'));
    await api.eventually('configmaps/a', allowed, {}, as('jane'));
    await api.patch('merge', 'configmaps/a', configMap('a'), { fieldManager: 'm' }, apply);
    await api.post('configmaps', configMap('a'));
    await api.patch('merge', 'configmaps/a', configMap('a', { b: 'c' }), { fieldManager: 'm' }, apply);
    await grant(api, 'creator', 'jane', rule('configmaps', 'create', 'list'));
    await api.eventually('configmaps', allowed, { fieldSelector: 'metadata.name=none' }, as('jane'));
    await api.patch('merge', 'configmaps/b', configMap('b'), { fieldManager: 'm' }, apply);
  }),
];
