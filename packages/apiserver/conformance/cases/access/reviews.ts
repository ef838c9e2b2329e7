// SPDX-License-Identifier: Apache-2.0
import { as, binding, grant, role, rule } from '../../conversation/callers.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const bindings = 'rbac.authorization.k8s.io/v1/rolebindings';
const clusterRoles = `${rbac}/clusterroles`;
const clusterBindings = `${rbac}/clusterrolebindings`;
const apiVersion = 'authorization.k8s.io/v1';
const questions = `/apis/${apiVersion}`;

const allowed = (_: unknown, status: number): boolean => status !== 403;

function accessReview(kind: string, spec: object, metadata: object = {}) {
  return { apiVersion, kind, metadata, spec };
}

/** Access reviews. */
export const reviews: readonly ConformanceCase[] = [
  testCase('what can only be asked is told apart', async (api) => {
    await api.get('/apis/authentication.k8s.io/v1');
    await api.get('/apis/authorization.k8s.io/v1');
  }),

  testCase('anybody can be asked about', async (api) => {
    const { namespace } = api;
    await grant(api, 'reader', 'jane', rule('configmaps', 'get'));
    await api.eventually('configmaps/a', allowed, {}, as('jane'));
    const ask = (spec: object) =>
      api.post(`${questions}/subjectaccessreviews`, accessReview('SubjectAccessReview', spec));
    const resourceAttributes = { namespace, verb: 'get', resource: 'configmaps', name: 'a' };
    await ask({ user: 'jane', resourceAttributes });
    await ask({ user: 'joan', resourceAttributes });
    await ask({ user: 'jane', resourceAttributes: { ...resourceAttributes, group: 'apps' } });
    await ask({ user: 'jane', resourceAttributes: { ...resourceAttributes, subresource: 'status' } });
    await ask({ user: 'joan', groups: ['system:masters'], uid: '1', extra: { a: ['b'] }, resourceAttributes });
    await ask({ groups: ['system:unauthenticated'], nonResourceAttributes: { path: '/healthz', verb: 'get' } });
    await ask({ user: 'jane', nonResourceAttributes: { path: '/metrics', verb: 'get' } });
  }),

  testCase('a question about access that makes no sense is refused', async (api) => {
    const { namespace } = api;
    const ask = (spec: object, metadata?: object) =>
      api.post(`${questions}/subjectaccessreviews`, accessReview('SubjectAccessReview', spec, metadata));
    const attributes = { resourceAttributes: { namespace, verb: 'get', resource: 'pods' } };
    await ask({});
    await ask({ user: 'jane' });
    await ask(attributes);
    await ask({ user: 'jane', ...attributes, nonResourceAttributes: { path: '/', verb: 'get' } });
    await ask({ user: 'jane', ...attributes, unknown: true });
    await api.get(`${questions}/subjectaccessreviews`);
    await api.get(`${questions}/subjectaccessreviews/a`);
  }),

  testCase('access can be asked about in one namespace', async (api) => {
    const { namespace } = api;
    await grant(api, 'reader', 'jane', rule('configmaps', 'get'));
    await api.eventually('configmaps/a', allowed, {}, as('jane'));
    const path = `${apiVersion}/localsubjectaccessreviews`;
    const ask = (spec: object, metadata: object = { namespace }) =>
      api.post(path, accessReview('LocalSubjectAccessReview', { user: 'jane', ...spec }, metadata));
    const resourceAttributes = { namespace, verb: 'get', resource: 'configmaps' };
    await ask({ resourceAttributes });
    await ask({ resourceAttributes }, {});
    await ask({ resourceAttributes: { ...resourceAttributes, namespace: 'default' } });
    await ask({ nonResourceAttributes: { path: '/', verb: 'get' } });
    await ask({ resourceAttributes }, { namespace: 'default' });
  }),

  testCase('everybody may ask what they may do themselves', async (api) => {
    const { namespace } = api;
    await grant(api, 'reader', 'jane', rule('configmaps', 'get'));
    await api.eventually('configmaps/a', allowed, {}, as('jane'));
    const ask = (spec: object, headers: Record<string, string>) =>
      api.post(`${questions}/selfsubjectaccessreviews`, accessReview('SelfSubjectAccessReview', spec), {}, headers);
    const resourceAttributes = { namespace, verb: 'get', resource: 'configmaps' };
    await ask({ resourceAttributes }, as('jane'));
    await ask({ resourceAttributes }, as('joan'));
    await ask({ resourceAttributes }, {});
    await ask({ nonResourceAttributes: { path: '/healthz', verb: 'get' } }, as('joan', 'system:unauthenticated'));
    await ask({}, as('jane'));
    await ask({ resourceAttributes }, as('joan', 'system:unauthenticated'));
  }),

  testCase('everybody may ask for all that they may do', async (api) => {
    const { namespace } = api;
    const name = `${namespace}-a`;
    // Unauthenticated users have so few rules that their order is fixed.
    const jane = as(name, 'system:unauthenticated');
    const asking = { apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectrulesreviews'], verbs: ['create'] };
    await api.post(clusterRoles, role(name, [asking], 'ClusterRole'));
    await api.post(clusterBindings, binding(name, name, { kind: 'ClusterRole', name }, 'ClusterRoleBinding'));
    const named = { ...rule('secrets', 'get'), resourceNames: ['a'] };
    await grant(api, 'reader', name, rule('configmaps', 'get', 'list'), named);
    await api.eventually('configmaps', allowed, {}, jane);
    const ask = (spec: object, headers: Record<string, string>) =>
      api.post(`${questions}/selfsubjectrulesreviews`, accessReview('SelfSubjectRulesReview', spec), {}, headers);
    await ask({ namespace }, jane);
    await ask({ namespace: 'default' }, jane);
    await ask({}, jane);
    await ask({ namespace }, as('joan', 'system:unauthenticated'));
  }),

  testCase('those who view, edit and administer a namespace may do what every cluster grants them', async (api) => {
    const { namespace } = api;
    const name = `${namespace}-a`;
    const asking = { apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectrulesreviews'], verbs: ['create'] };
    await api.post(clusterRoles, role(name, [asking], 'ClusterRole'));
    for (const kind of ['view', 'edit', 'admin']) {
      const user = `${name}-${kind}`;
      await api.post(bindings, binding(kind, user, { kind: 'ClusterRole', name: kind }));
      await api.post(clusterBindings, binding(user, user, { kind: 'ClusterRole', name }, 'ClusterRoleBinding'));
      const headers = as(user, 'system:unauthenticated');
      await api.eventually('configmaps/a', allowed, {}, headers);
      const review = accessReview('SelfSubjectRulesReview', { namespace });
      await api.post(`${questions}/selfsubjectrulesreviews`, review, {}, headers);
    }
  }),
];
