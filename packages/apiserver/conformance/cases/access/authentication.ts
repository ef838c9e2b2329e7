// SPDX-License-Identifier: Apache-2.0
import { account, as, binding, grant, role, rule, tokenOf, whoAmI, withToken } from '../../conversation/callers.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { configMap } from '../../objects/objects.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';

/** Who a caller is: certificates, tokens, impersonation. */
export const authentication: readonly ConformanceCase[] = [
  testCase('nobody is told more than that the server is well', async (api) => {
    const nobody = withToken('');
    for (const path of ['/healthz', '/livez', '/readyz']) await api.get(path, {}, nobody);
    for (const path of ['/', '/api', '/apis', '/openapi/v3', '/healthz/ping', '/nothing', 'configmaps']) {
      await api.get(path, {}, nobody);
    }
    await api.post('configmaps', configMap('a'), {}, nobody);
    await api.post('/healthz', {}, {}, nobody);
  }),

  testCase('a token that nobody has is refused, whatever it is for', async (api) => {
    await api.get('configmaps', {}, withToken('nonsense'));
    await api.get('/healthz', {}, withToken('nonsense'));
    await api.get('configmaps', {}, { authorization: 'Basic Y29udHJhY3Q6' });
    await api.get('/healthz', {}, { authorization: 'Basic Y29udHJhY3Q6' });
    await api.get('configmaps', { labelSelector: 'none' }, { authorization: 'bearer contract' });
    await api.get('configmaps', {}, withToken('nonsense with.more.words'));
  }),

  testCase('the caller is told who it is', async (api) => {
    await whoAmI(api, {});
    await whoAmI(api, as('jane'));
    await whoAmI(api, as('jane', 'readers'));
    await whoAmI(api, as(`system:serviceaccount:${api.namespace}:robot`));
    await whoAmI(api, as(`system:serviceaccount:${api.namespace}:robot`, 'readers'));
    await whoAmI(api, as('system:serviceaccount:nonsense'));
  }),

  testCase('whom an administrator acts as is in the groups that go with the name', async (api) => {
    await whoAmI(api, as('system:anonymous'));
    await whoAmI(api, as('jane', 'system:authenticated'));
    await whoAmI(api, as('jane', 'system:masters'));
    await api.get('configmaps', {}, as('jane', 'system:unauthenticated'));
  }),

  testCase('an administrator acts as somebody with a uid and more', async (api) => {
    await whoAmI(api, {
      ...as('jane', 'readers'),
      'impersonate-uid': '1234',
      'impersonate-extra-example.com%2fscopes': 'view',
    });
    await whoAmI(api, { ...as('jane'), 'impersonate-extra-odd': 'a, b' });
  }),

  testCase('acting as nobody in particular makes no sense', async (api) => {
    await api.get('configmaps', {}, { 'impersonate-group': 'readers' });
    await api.get('configmaps', {}, { 'impersonate-uid': '1234' });
    await api.get('configmaps', {}, { 'impersonate-extra-scopes': 'view' });
    await api.get('configmaps', { labelSelector: 'none' }, { 'impersonate-user': '' });
  }),

  testCase('who may not act as others is refused', async (api) => {
    await api.post('serviceaccounts', account('robot'));
    const robot = withToken(await tokenOf(api, 'robot'));
    await api.get('configmaps', {}, { ...robot, ...as('jane') });
    await api.get('configmaps/a', {}, { ...robot, ...as('jane', 'system:masters') });
    await api.get('configmaps', {}, { ...robot, ...as(`system:serviceaccount:${api.namespace}:default`) });
    await api.get('/api/v1/nodes', {}, { ...robot, ...as('system:node:a') });
    await api.get('/healthz', {}, { ...robot, ...as('jane') });
    await api.get('configmaps', {}, { ...robot, ...as(`system:serviceaccount:${api.namespace}:default`, 'readers') });
  }),

  testCase('who may act as one user may not act as another', async (api) => {
    const { namespace } = api;
    const name = `${namespace}-a`;
    const user = `system:serviceaccount:${namespace}:robot`;
    await api.post('serviceaccounts', account('robot'));
    const robot = withToken(await tokenOf(api, 'robot'));
    const rules = [{ ...rule('users', 'impersonate'), resourceNames: ['jane'] }];
    await api.post(`${rbac}/clusterroles`, role(name, rules, 'ClusterRole'));
    const bound = binding(name, user, { kind: 'ClusterRole', name }, 'ClusterRoleBinding');
    await api.post(`${rbac}/clusterrolebindings`, bound);
    await grant(api, 'reader', 'jane', rule('configmaps', 'get'));
    await api.eventually('configmaps/a', (_, status) => status === 404, {}, as('jane'));
    await api.eventually('configmaps/a', (_, status) => status === 404, {}, { ...robot, ...as('jane') });
    await api.get('secrets/a', {}, { ...robot, ...as('jane') });
  }),

  testCase('who may act as somebody for certain requests does so', async (api) => {
    const { namespace } = api;
    const name = `${namespace}-a`;
    const user = `system:serviceaccount:${namespace}:robot`;
    await api.post('serviceaccounts', account('robot'));
    const robot = withToken(await tokenOf(api, 'robot'));
    const users = {
      apiGroups: ['authentication.k8s.io'],
      resources: ['users'],
      verbs: ['impersonate:user-info'],
      resourceNames: ['jane'],
    };
    await api.post(`${rbac}/clusterroles`, role(name, [users], 'ClusterRole'));
    const bound = binding(name, user, { kind: 'ClusterRole', name }, 'ClusterRoleBinding');
    await api.post(`${rbac}/clusterrolebindings`, bound);
    await grant(api, 'limit', user, rule('configmaps', 'impersonate-on:user-info:get'));
    await grant(api, 'reader', 'jane', rule('configmaps', 'get', 'list'));
    await api.eventually('configmaps', (_, status) => status === 200, {}, as('jane'));
    await api.eventually('configmaps/a', (_, status) => status === 404, {}, { ...robot, ...as('jane') });
    await api.get('configmaps', {}, { ...robot, ...as('jane') });
    await api.get('configmaps/a', {}, { ...robot, ...as('joan') });
  }),
];
