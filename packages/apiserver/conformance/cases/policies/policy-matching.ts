// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { configMaps, configurations } from '../../conversation/hooks.ts';
import { bindingPath, policy, policyBinding, policyPath } from '../../conversation/policies.ts';
import { definitions, valueDefinition } from '../../objects/define-values.ts';
import { configMap, deployment, pod } from '../../objects/objects.ts';

/** Denies everything, with a message about the request. */
const deny = { expression: 'false', messageExpression: "request.operation + ' ' + request.kind.kind" };

function rule(group: string, resources: readonly string[], ...operations: readonly string[]) {
  return { operations, apiGroups: [group], apiVersions: ['v1'], resources };
}

async function tryNames(api: Conversation, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await api.post('configmaps', configMap(name, {}, { labels: { app: name } }), { dryRun: 'All' });
  }
}

function withBrokenConditions(name: string, more: object = {}) {
  return {
    matchConstraints: { objectSelector: { matchLabels: { app: name } } },
    matchConditions: [
      { name: 'one', expression: 'object.data.nothing == "x"' },
      { name: 'two', expression: 'object.spec.nothing == "x"' },
      { name: 'three', expression: `object.metadata.name != 'other'` },
    ],
    validations: [{ expression: 'true' }],
    ...more,
  };
}

function secret(name: string) {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name } };
}

/** Which requests admission policies match. */
export const policyMatching: readonly ConformanceCase[] = [
  testCase('a policy applies when all its conditions hold', async (api) => {
    await api.policies.create('p', {
      matchConditions: [
        { name: 'not-a', expression: "object.metadata.name != 'a'" },
        { name: 'not-b', expression: "!object.metadata.name.startsWith('b')" },
        { name: 'by-admin', expression: "request.userInfo.username == 'kubernetes-admin' && namespaceObject == null" },
      ],
      validations: [deny],
    });
    await tryNames(api, 'a', 'b', 'c');
  }),

  testCase('an error in a condition counts by the failure policy', async (api) => {
    await api.policies.create('fail', withBrokenConditions('fail'));
    await api.policies.create(
      'ignore',
      withBrokenConditions('ignore', { failurePolicy: 'Ignore', validations: [deny] }),
    );
    await api.policies.create('warn', withBrokenConditions('warn'), { validationActions: ['Warn'] });
    await tryNames(api, 'fail', 'ignore', 'warn');
    await api.post('configmaps', configMap('other', {}, { labels: { app: 'fail' } }), { dryRun: 'All' });
  }),

  testCase('a policy is about what its rules name and do not exclude', async (api) => {
    await api.policies.create('p', {
      matchConstraints: {
        resourceRules: [
          { ...configMaps('UPDATE', 'DELETE'), resourceNames: ['named'] },
          { ...configMaps('CREATE'), resourceNames: ['named', 'other'] },
          rule('', ['secrets'], 'CREATE'),
        ],
        excludeResourceRules: [{ ...rule('', ['secrets'], '*'), resourceNames: ['excluded'] }],
      },
      validations: [deny],
    });
    await tryNames(api, 'named', 'other');
    await api.post('configmaps', configMap('a'));
    await api.patch('merge', 'configmaps/a', { data: { a: 'b' } });
    await api.delete('configmaps/a');
    await api.post('secrets', secret('denied'), { dryRun: 'All' });
    await api.post('secrets', secret('excluded'), { dryRun: 'All' });
    await api.post('configmaps', configMap('', {}, { generateName: 'named' }), { dryRun: 'All' });
  }),

  testCase('a policy is about objects and namespaces that it selects', async (api) => {
    await api.policies.create('object', {
      matchConstraints: { objectSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['a', 'b'] }] } },
      validations: [deny],
    });
    await api.policies.create('elsewhere', {
      matchConstraints: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'elsewhere' } } },
      validations: [{ expression: 'false' }],
    });
    await tryNames(api, 'a', 'c');
    await api.post('configmaps', configMap('c', {}, { labels: { app: 'c' } }));
    await api.patch('merge', 'configmaps/c', { metadata: { labels: { app: 'b' } } });
  }),

  testCase('a binding narrows what a policy is about', async (api) => {
    await api.policies.create('p', { validations: [deny] }, null);
    const bindings = {
      a: { objectSelector: { matchLabels: { app: 'a' } } },
      updates: { resourceRules: [configMaps('UPDATE')] },
      others: { excludeResourceRules: [{ ...configMaps('*'), resourceNames: ['a', 'c', 'd'] }] },
      elsewhere: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'elsewhere' } } },
    };
    for (const [name, matchResources] of Object.entries(bindings)) {
      const policyName = `${api.namespace}-p`;
      await api.post(bindingPath, policyBinding(api.namespace, name, { policyName, matchResources }));
    }
    await api.policies.settle();
    await tryNames(api, 'a', 'b', 'c');
    await api.post('configmaps', configMap('d'));
    await api.patch('merge', 'configmaps/d', { data: { a: 'b' } });
  }),

  testCase('a policy is about subresources that its rules name', async (api) => {
    await api.policies.create('p', {
      matchConstraints: {
        resourceRules: [rule('apps', ['deployments/scale', 'deployments/status'], 'UPDATE'), rule('', ['pods/*'], '*')],
      },
      validations: [
        {
          expression: "request.subResource == 'scale' && object.spec.replicas < 3",
          messageExpression:
            "request.kind.kind + ' of ' + request.resource.resource + '/' + request.subResource + ' by ' + request.operation",
        },
      ],
    });
    const deployments = 'apps/v1/deployments';
    await api.post(deployments, deployment('a'));
    await api.patch('merge', `${deployments}/a`, { spec: { replicas: 5 } });
    await api.patch('merge', `${deployments}/a/scale`, { spec: { replicas: 2 } });
    await api.patch('merge', `${deployments}/a/scale`, { spec: { replicas: 3 } });
    await api.patch('merge', `${deployments}/a/status`, { status: { replicas: 3 } });
    await api.post('pods', pod('a'));
    await api.post('pods/a/binding', {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'a' },
      target: { kind: 'Node', name: 'n' },
    });
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } };
    await api.post('pods/a/eviction', eviction);
    await api.post('pods/a/exec', undefined, { command: 'ls' });
  }),

  testCase('a policy sees the version of a resource that its rules name', async (api) => {
    const definition = valueDefinition(api, { spec: { type: 'object', properties: { size: { type: 'integer' } } } });
    const { group, versions } = definition.spec;
    const [first] = versions;
    await api.post(definitions, {
      ...definition,
      spec: { ...definition.spec, versions: [first, { ...first, name: 'v2', storage: false }] },
    });
    for (const version of ['v1', 'v2']) {
      await api.eventually(`${group}/${version}/values`, (_, status) => status === 200);
    }
    const about = (matchPolicy: string) => ({
      matchConstraints: { matchPolicy, resourceRules: [rule(group, ['values'], 'CREATE')] },
      validations: [
        {
          expression: `'${matchPolicy}' != object.metadata.name`,
          messageExpression:
            "object.apiVersion + ' ' + request.kind.version + ' ' + request.requestKind.version + ' ' + request.resource.version",
        },
      ],
    });
    await api.policies.create('exact', about('Exact'));
    await api.policies.create('equivalent', about('Equivalent'));
    const value = (name: string, version: string) => ({
      apiVersion: `${group}/${version}`,
      kind: 'Value',
      metadata: { name },
      spec: { size: 1 },
    });
    for (const version of ['v1', 'v2']) {
      for (const name of ['Exact', 'Equivalent']) {
        await api.post(`${group}/${version}/values`, value(name, version), { dryRun: 'All' });
      }
    }
  }),

  testCase('policies are not about policies, but about webhooks and definitions', async (api) => {
    const admission = 'admissionregistration.k8s.io';
    await api.policies.create('p', {
      matchConstraints: {
        namespaceSelector: {},
        objectSelector: { matchLabels: { row: api.namespace } },
        resourceRules: [rule(admission, ['*'], '*'), rule('apiextensions.k8s.io', ['*'], '*')],
      },
      validations: [deny],
    });
    const labels = { row: api.namespace };
    const other = policy(api.namespace, 'other', { validations: [{ expression: 'true' }] });
    await api.post(policyPath, { ...other, metadata: { ...other.metadata, labels } });
    const bound = policyBinding(api.namespace, 'other');
    await api.post(bindingPath, { ...bound, metadata: { ...bound.metadata, labels } });
    await api.post(configurations('validating'), {
      apiVersion: `${admission}/v1`,
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: `${api.namespace}-a`, labels },
    });
    const definition = valueDefinition(api, {});
    await api.post(definitions, { ...definition, metadata: { ...definition.metadata, labels } }, { dryRun: 'All' });
  }),

  testCase('policies decide before webhooks', async (api) => {
    await api.policies.create('p', { validations: [{ expression: "object.data.color != 'red'" }] });
    await api.hooks.create('validating', 'v', { answer: 'deny-with-message' });
    await api.post('configmaps', configMap('a', { color: 'red' }));
    await api.hooks.received();
    await api.post('configmaps', configMap('a', { color: 'blue' }));
  }),
];
