// SPDX-License-Identifier: Apache-2.0
import { as, binding, role } from '../../conversation/callers.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { bindingPath, policy, policyBinding, policyPath } from '../../conversation/policies.ts';
import { configMap } from '../../objects/objects.ts';

const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
const inParams = {
  expression: 'object.data.color in params.data',
  messageExpression: "object.data.color + ' is not in ' + params.metadata.name + ' of ' + params.kind",
};
/** About secrets, so that params are not checked themselves. */
const secrets = {
  resourceRules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }],
};

/** A policy about secrets, since params are config maps; its data are encoded, so labels have the color. */
const colorOf = 'object.metadata.labels.color in params.data';

function secret(name: string, color: string, more: object = {}) {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, labels: { color, ...more } } };
}

function about(color: string) {
  return {
    matchConstraints: { ...secrets, objectSelector: { matchLabels: { color } } },
  };
}

/** Params of admission policies. */
export const policyParams: readonly ConformanceCase[] = [
  testCase('a policy has params by name', async (api) => {
    await api.post('configmaps', configMap('colors', { red: '1' }));
    const message = "object.metadata.labels.color + ' is not in ' + params.metadata.name + ' of ' + params.kind";
    await api.policies.create(
      'own',
      {
        paramKind,
        matchConstraints: secrets,
        matchConditions: [{ name: 'has-params', expression: 'params.data.size() > 0' }],
        variables: [{ name: 'known', expression: 'params.data' }],
        validations: [{ expression: colorOf, messageExpression: message }, { expression: "'red' in variables.known" }],
      },
      { paramRef: { name: 'colors', parameterNotFoundAction: 'Deny' } },
    );
    await api.policies.create(
      'other',
      {
        paramKind,
        matchConstraints: secrets,
        validations: [{ expression: '!(object.metadata.labels.color in params.data)' }],
      },
      { paramRef: { name: 'colors', namespace: api.namespace, parameterNotFoundAction: 'Deny' } },
    );
    await api.catchUp();
    await api.post('secrets', secret('a', 'red'));
    await api.post('secrets', secret('b', 'blue'));
  }),

  testCase('a policy has every selected object as params', async (api) => {
    for (const [name, limit] of Object.entries({ one: '5', two: '3', three: '1' })) {
      const labels = { limits: name === 'three' ? 'no' : 'yes' };
      await api.post('configmaps', configMap(name, { limit }, { labels }));
    }
    await api.policies.create(
      'p',
      {
        paramKind,
        matchConstraints: secrets,
        validations: [
          {
            expression: 'int(object.metadata.labels.size) <= int(params.data.limit)',
            messageExpression: "'limit ' + params.data.limit",
          },
        ],
      },
      { paramRef: { selector: { matchLabels: { limits: 'yes' } }, parameterNotFoundAction: 'Deny' } },
    );
    await api.catchUp();
    await api.post('secrets', secret('a', 'red', { size: '2' }));
    await api.post('secrets', secret('b', 'red', { size: '4' }));
  }),

  testCase('missing params deny or allow, as the binding says', async (api) => {
    const spec = { paramKind, matchConstraints: secrets, validations: [{ expression: 'false' }] };
    const bound = (name: string, color: string, parameterNotFoundAction: string, more: object = {}) => {
      const matchResources = { objectSelector: { matchLabels: { color } } };
      return api.policies.create(
        name,
        { ...spec, ...more },
        { matchResources, paramRef: { name: 'missing', parameterNotFoundAction } },
      );
    };
    await bound('deny', 'red', 'Deny');
    await bound('allow', 'green', 'Allow');
    await bound('ignore', 'blue', 'Deny', { failurePolicy: 'Ignore' });
    await api.policies.create('selected', spec, {
      matchResources: { objectSelector: { matchLabels: { color: 'white' } } },
      paramRef: { selector: { matchLabels: { none: 'such' } }, parameterNotFoundAction: 'Deny' },
    });
    for (const color of ['red', 'green', 'blue', 'white']) await api.post('secrets', secret(color, color));
  }),

  testCase('params of an unknown kind count by the failure policy', async (api) => {
    const spec = {
      paramKind: { apiVersion: 'example.com/v1', kind: 'Unknown' },
      validations: [{ expression: 'true' }],
    };
    await api.policies.create('fail', { ...spec, ...about('red') });
    await api.policies.create('ignore', { ...spec, ...about('green'), failurePolicy: 'Ignore' });
    await api.policies.create('core', { ...spec, ...about('blue'), paramKind: { apiVersion: 'v1', kind: 'Nothing' } });
    for (const color of ['red', 'green', 'blue', 'white']) await api.post('secrets', secret(color, color));
  }),

  testCase('a binding without a reference has no params', async (api) => {
    await api.policies.create('p', {
      paramKind,
      matchConstraints: secrets,
      validations: [{ expression: 'params != null', message: 'no params' }],
    });
    await api.post('secrets', secret('a', 'red'));
  }),

  testCase('references to params fit their scope', async (api) => {
    const row = { row: api.namespace };
    const namespaced = { name: 'colors', parameterNotFoundAction: 'Allow' };
    await api.policies.create(
      'cluster',
      {
        paramKind,
        matchConstraints: {
          namespaceSelector: {},
          objectSelector: { matchLabels: row },
          resourceRules: [
            {
              operations: ['CREATE'],
              apiGroups: ['rbac.authorization.k8s.io'],
              apiVersions: ['v1'],
              resources: ['clusterroles'],
            },
          ],
        },
        validations: [{ expression: 'true' }],
      },
      { paramRef: namespaced },
    );
    await api.policies.create(
      'class',
      {
        paramKind: { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass' },
        matchConstraints: secrets,
        validations: [{ expression: 'true' }],
      },
      { paramRef: { ...namespaced, namespace: api.namespace } },
    );
    await api.post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: `${api.namespace}-a`, labels: row },
    });
    await api.post('secrets', secret('a', 'red'));
  }),

  testCase('params can be cluster-scoped', async (api) => {
    const name = `${api.namespace}-limits`;
    await api.post('/apis/scheduling.k8s.io/v1/priorityclasses', {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name },
      value: 7,
    });
    await api.policies.create(
      'p',
      {
        paramKind: { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass' },
        matchConstraints: secrets,
        validations: [{ expression: 'params.value > 10', messageExpression: "'the value is ' + string(params.value)" }],
      },
      { paramRef: { name, parameterNotFoundAction: 'Deny' } },
    );
    await api.catchUp();
    await api.post('secrets', secret('a', 'red'));
  }),

  testCase('who refers to params may read them', async (api) => {
    const user = `${api.namespace}-jane`;
    const cluster = '/apis/rbac.authorization.k8s.io/v1';
    const policies = {
      apiGroups: ['admissionregistration.k8s.io'],
      resources: ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
      verbs: ['*'],
    };
    const name = user;
    await api.post(`${cluster}/clusterroles`, role(name, [policies], 'ClusterRole'));
    await api.post(
      `${cluster}/clusterrolebindings`,
      binding(name, user, { kind: 'ClusterRole', name }, 'ClusterRoleBinding'),
    );
    await api.catchUp();
    const spec = { paramKind, validations: [inParams] };
    const paramRef = { name: 'colors', namespace: api.namespace, parameterNotFoundAction: 'Deny' };
    const { namespace } = api;
    await api.post(policyPath, policy(namespace, 'a', spec), { dryRun: 'All' }, as(user));
    await api.post(
      policyPath,
      policy(namespace, 'a', { ...spec, paramKind: undefined, validations: [{ expression: 'true' }] }),
      { dryRun: 'All' },
      as(user),
    );
    await api.post(bindingPath, policyBinding(namespace, 'a', { paramRef }), { dryRun: 'All' }, as(user));
    await api.post(bindingPath, policyBinding(namespace, 'a'), { dryRun: 'All' }, as(user));
    await api.post(policyPath, policy(namespace, 'a', spec));
    await api.post(
      policyPath,
      policy(namespace, 'b', { ...spec, paramKind: { apiVersion: 'example.com/v1', kind: 'Unknown' } }),
    );
    await api.post(bindingPath, policyBinding(namespace, 'a', { paramRef }), { dryRun: 'All' }, as(user));
    await api.post(bindingPath, policyBinding(namespace, 'b', { paramRef }), { dryRun: 'All' }, as(user));
    const selector = { parameterNotFoundAction: 'Deny', selector: {} };
    await api.post(bindingPath, policyBinding(namespace, 'a', { paramRef: selector }), { dryRun: 'All' }, as(user));
    const readers = { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] };
    await api.patch('json', `${cluster}/clusterroles/${name}`, [{ op: 'add', path: '/rules/-', value: readers }]);
    await api.catchUp();
    await api.post(policyPath, policy(namespace, 'c', spec), { dryRun: 'All' }, as(user));
    await api.post(bindingPath, policyBinding(namespace, 'a', { paramRef }), { dryRun: 'All' }, as(user));
  }),
];
