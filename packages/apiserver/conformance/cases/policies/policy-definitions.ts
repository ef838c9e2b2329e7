// SPDX-License-Identifier: Apache-2.0
import type { ValidatingAdmissionPolicy } from '@forge/kube/kinds/builtin.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { configMaps } from '../../conversation/hooks.ts';
import { bindingPath, policy, policyBinding, policyPath, type PolicySpec } from '../../conversation/policies.ts';

const fine = { validations: [{ expression: 'true' }] };

/** Tries to create policies with each of these specs. */
async function tryEach(api: Conversation, ...specs: readonly object[]): Promise<void> {
  for (const spec of specs) {
    await api.post(policyPath, policy(api.namespace, 'a', { ...fine, ...spec }), { dryRun: 'All' });
  }
}

function tryConstraints(api: Conversation, ...constraints: readonly object[]): Promise<void> {
  return tryEach(api, ...constraints.map((matchConstraints) => ({ matchConstraints })));
}

function tryExpressions(api: Conversation, ...expressions: readonly string[]): Promise<void> {
  return tryEach(api, ...expressions.map((expression) => ({ validations: [{ expression }] })));
}

async function tryBindings(api: Conversation, ...specs: readonly object[]): Promise<void> {
  for (const spec of specs) {
    await api.post(bindingPath, policyBinding(api.namespace, 'a', spec), { dryRun: 'All' });
  }
}

function isChecked({ metadata, status }: ValidatingAdmissionPolicy): boolean {
  return status?.observedGeneration === metadata.generation;
}

function using(...variables: readonly object[]) {
  return { variables };
}

function annotating(...auditAnnotations: readonly object[]) {
  return { auditAnnotations, validations: [] };
}

function warnings(...expressionWarnings: readonly object[]) {
  return {
    status: { typeChecking: { expressionWarnings } },
  };
}

function deployments(...resources: readonly string[]) {
  return {
    operations: ['*'],
    apiGroups: ['apps'],
    apiVersions: ['v1'],
    resources,
  };
}

/** Admission policies and their bindings as objects. */
export const policyDefinitions: readonly ConformanceCase[] = [
  testCase('policies and bindings are created with their defaults', async (api) => {
    await api.post(policyPath, policy(api.namespace, 'a', fine));
    const matchConstraints = {
      resourceRules: [configMaps('CREATE')],
      excludeResourceRules: [{ ...configMaps('DELETE'), scope: 'Namespaced' }],
    };
    await tryConstraints(api, matchConstraints);
    await tryBindings(api, {}, { matchResources: {} }, { matchResources: matchConstraints });
  }),

  testCase('a policy without what it needs is refused', async (api) => {
    const object = policy(api.namespace, 'a');
    await api.post(policyPath, { ...object, spec: undefined }, { dryRun: 'All' });
    await api.post(policyPath, { ...object, spec: {} }, { dryRun: 'All' });
    await tryEach(
      api,
      { validations: [] },
      { failurePolicy: 'Sometimes' },
      { validations: [{ expression: '' }] },
      { validations: [{ expression: ' \n' }] },
      { validations: [{ expression: 'true', message: ' ' }] },
      { validations: [{ expression: 'true', message: 'two\nlines' }] },
      { validations: [{ expression: 'true', messageExpression: ' ' }] },
      { validations: [{ expression: 'true', reason: 'NotFound' }] },
      { validations: [{ expression: 'true', reason: '' }] },
    );
  }),

  testCase('a policy with constraints that make no sense is refused', async (api) => {
    const rule = configMaps('CREATE');
    await tryConstraints(
      api,
      { resourceRules: [] },
      { matchPolicy: 'Sometimes' },
      { namespaceSelector: { matchLabels: { 'no label!': 'a' } } },
      { objectSelector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } },
      { resourceRules: [{ ...rule, operations: [] }] },
      { resourceRules: [{ ...rule, operations: ['READ', '*'] }] },
      { resourceRules: [{ ...rule, apiGroups: ['*', 'apps'], apiVersions: [''] }] },
      { resourceRules: [{ ...rule, resources: ['pods/*', 'pods/exec', '*', 'pods'] }] },
      { resourceRules: [{ ...rule, scope: 'Everywhere' }] },
      { resourceRules: [{ ...rule, resourceNames: ['a', 'a/b', 'a', '..', ''] }] },
      { resourceRules: [{}] },
      { excludeResourceRules: [{ ...rule, apiVersions: [] }] },
    );
  }),

  testCase('a policy with params that make no sense is refused', async (api) => {
    await tryEach(
      api,
      { paramKind: {} },
      { paramKind: { apiVersion: 'v1' } },
      { paramKind: { apiVersion: 'a/b/c', kind: 'A' } },
      { paramKind: { apiVersion: 'example.com/', kind: 'A' } },
      { paramKind: { apiVersion: 'Example.com/V_1', kind: 'A' } },
      { paramKind: { apiVersion: 'v1', kind: 'A_B' } },
      { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, validations: [{ expression: 'params == null' }] },
      { validations: [{ expression: 'params == null' }] },
    );
  }),

  testCase('an expression that does not compile is refused', async (api) => {
    await tryExpressions(
      api,
      'object.spec.replicas >',
      'nothing == 1',
      "'a' == 1",
      "size(object) + 'a' == 2",
      'request.nothing == "a"',
      'request.userInfo.groups.exists(g, g == 1)',
      'namespaceObject.metadata.uid == "a"',
      'variables.a == 1',
      'authorizer.check("get").allowed()',
      'object.spec',
      "'a'",
      '1',
      'null',
      'timestamp("2020-01-01T00:00:00Z")',
      '[1]',
      'request.kind',
      "'a'.matches('[')",
      "duration('never') == duration('1s')",
      'object.all(x, \n  object.nothing(x))',
      'has(object)',
    );
    await tryEach(
      api,
      { validations: [{ expression: 'true', messageExpression: 'object.x' }] },
      { validations: [{ expression: 'true', messageExpression: "authorizer.path('/x').check('get').reason()" }] },
      { validations: [{ expression: 'true', messageExpression: '1' }] },
    );
  }),

  testCase('a policy with conditions that make no sense is refused', async (api) => {
    await tryEach(
      api,
      { matchConditions: [{ name: '', expression: '' }] },
      { matchConditions: [{ name: 'no name!', expression: 'object.x' }] },
      {
        matchConditions: [
          { name: 'a', expression: 'true' },
          { name: 'a', expression: ' variables.x == 1 ' },
        ],
      },
      { matchConditions: [{ name: 'a', expression: 'params == null' }] },
      {
        matchConditions: Array.from({ length: 65 }, (_, index) => ({ name: `c${index}`, expression: 'true' })),
      },
    );
  }),

  testCase('a variable has a name, and is known to expressions after it', async (api) => {
    await tryEach(
      api,
      using({ name: '', expression: '' }),
      using({ name: 'for', expression: '1' }),
      using({ name: '1a', expression: '1' }, { name: 'a-b', expression: ' ' }),
      using({ name: 'a', expression: 'variables.b' }, { name: 'b', expression: '1' }),
      using({ name: 'a', expression: 'nothing' }, { name: 'b', expression: 'variables.a.anything' }),
      using({ name: 'a', expression: "{'x': [1, 2]}" }, { name: 'b', expression: "variables.a['x'][0] == 'y'" }),
      using({ name: 'a', expression: 'request' }, { name: 'b', expression: 'variables.a.anything' }),
      using({ name: 'a', expression: 'optional.of(1)' }, { name: 'b', expression: 'variables.a + "x"' }),
      { ...using({ name: 'a', expression: '1' }), validations: [{ expression: "variables.a == 'x'" }] },
      { ...using({ name: 'a', expression: "'x'" }), validations: [{ expression: 'variables.c' }] },
      {
        ...using({ name: 'a', expression: "'x'" }, { name: 'a', expression: '1' }),
        validations: [{ expression: 'variables.a == 1', messageExpression: 'variables.a' }],
      },
    );
  }),

  testCase('an audit annotation has a key and a value', async (api) => {
    await tryEach(
      api,
      annotating({ key: 'a', valueExpression: "'x'" }),
      annotating({ key: 'a', valueExpression: 'null' }),
      annotating({ key: 'a', valueExpression: '1' }),
      annotating({ key: 'a', valueExpression: 'object.x' }),
      annotating({ key: 'a', valueExpression: ' nothing ' }),
      annotating({ key: '', valueExpression: '' }),
      annotating({ key: 'no key!', valueExpression: "'x'" }),
      annotating({ key: 'a/b', valueExpression: "'x'" }),
      annotating({ key: 'a', valueExpression: "'x'" }, { key: 'a', valueExpression: "'y'" }),
      annotating({ key: 'a', valueExpression: `'${'x'.repeat(5200)}'` }),
      annotating(...Array.from({ length: 21 }, (_, index) => ({ key: `k${index}`, valueExpression: 'null' }))),
    );
  }),

  testCase('a binding that makes no sense is refused', async (api) => {
    const parameterNotFoundAction = 'Deny';
    await api.post(bindingPath, { ...policyBinding(api.namespace, 'a'), spec: undefined }, { dryRun: 'All' });
    await tryBindings(
      api,
      { policyName: '' },
      { policyName: 'No_Name' },
      { validationActions: [] },
      { validationActions: ['Deny', 'Warn'] },
      { validationActions: ['Deny', 'Deny', 'Log'] },
      { paramRef: {} },
      { paramRef: { name: 'a' } },
      { paramRef: { name: 'a', parameterNotFoundAction: 'Warn' } },
      { paramRef: { name: 'a/b', selector: {}, parameterNotFoundAction } },
      { paramRef: { parameterNotFoundAction } },
      { paramRef: { selector: { matchLabels: { 'no label!': 'a' } }, parameterNotFoundAction } },
      { matchResources: { matchPolicy: 'Sometimes', resourceRules: [{}] } },
    );
  }),

  testCase('a changed spec bumps the generation of policies and bindings', async (api) => {
    await api.post(policyPath, policy(api.namespace, 'a', fine));
    const name = `${api.namespace}-a`;
    await api.eventually<ValidatingAdmissionPolicy>(`${policyPath}/${name}`, isChecked);
    await api.post(bindingPath, policyBinding(api.namespace, 'a'));
    await api.patch('merge', `${policyPath}/${name}`, { metadata: { labels: { a: 'b' } } });
    await api.patch('merge', `${policyPath}/${name}`, {
      spec: { failurePolicy: 'Ignore' },
      status: { typeChecking: null },
    });
    await api.eventually<ValidatingAdmissionPolicy>(`${policyPath}/${name}`, isChecked);
    await api.patch('merge', `${bindingPath}/${name}`, { spec: { validationActions: ['Audit'] } });
    await api.patch('merge', `${policyPath}/${name}`, { spec: { validations: [{ expression: 'nothing' }] } });
  }),

  testCase('the status of a policy is written separately', async (api) => {
    await api.post(policyPath, policy(api.namespace, 'a', fine));
    const path = `${policyPath}/${api.namespace}-a`;
    await api.eventually<ValidatingAdmissionPolicy>(path, isChecked);
    await api.patch('merge', `${path}/status`, {
      ...warnings({ fieldRef: 'spec.validations[0].expression', warning: 'w' }),
      spec: { failurePolicy: 'Ignore' },
      metadata: { labels: { a: 'b' } },
    });
    await api.patch('merge', `${path}/status`, warnings({ fieldRef: '', warning: '' }));
    await api.get(`${path}/status`);
  }),

  testCase('expressions are checked against the kinds that a policy names', async (api) => {
    const checked = async (name: string, spec: PolicySpec): Promise<void> => {
      await api.post(policyPath, policy(api.namespace, name, spec));
      await api.eventually<ValidatingAdmissionPolicy>(`${policyPath}/${api.namespace}-${name}`, isChecked);
    };
    const resourceRules = [deployments('deployments')];
    const validations = [
      { expression: 'object.spec.replicas > 1' },
      { expression: "object.spec.replicas > '1'" },
      { expression: 'object.spec.replicaz > 1', messageExpression: "'has ' + string(object.spec.nothing)" },
      { expression: 'object.spec.template.spec.containers.all(c, c.imagePullPolicy == "Never" && c.none)' },
      { expression: 'object.metadata.labels.any == "x" && object.metadata.nothing == 1' },
      {
        expression: 'object.spec.template.spec.containers.all(c, c.resources.limits.all(l, c.resources.limits[l] > 1))',
      },
      { expression: "authorizer.requestResource.check('get').allowed() && object.kind == 1" },
    ];
    await checked('a', { matchConstraints: { resourceRules }, validations });
    await checked('b', {
      matchConstraints: {
        resourceRules: [deployments('statefulsets', 'deployments', 'nothings', 'deployments/scale')],
      },
      validations: [{ expression: 'object.spec.serviceName == "x"' }],
    });
    await checked('c', {
      matchConstraints: { resourceRules: [{ ...deployments('deployments'), apiGroups: ['*'] }] },
      validations: [{ expression: 'object.spec.nothing == "x"' }],
    });
    await checked('d', {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConstraints: { resourceRules },
      variables: [
        { name: 'limit', expression: 'int(params.data.limit)' },
        { name: 'text', expression: 'params.data.limit' },
        { name: 'wrong', expression: 'object.wrong' },
      ],
      validations: [
        { expression: 'object.spec.replicas < variables.limit' },
        { expression: 'object.spec.replicas < variables.text' },
        {
          expression: 'variables.limit > 1 && params.nothing == "x"',
          messageExpression: "'x' + string(params.nothing)",
        },
        { expression: 'variables.wrong.anything == "x"', messageExpression: 'string(variables.text.nothing)' },
      ],
      auditAnnotations: [{ key: 'a', valueExpression: 'string(object.nothing)' }],
      matchConditions: [{ name: 'a', expression: 'object.nothing == 1' }],
    });
    await checked('e', {
      paramKind: { apiVersion: 'example.com/v1', kind: 'Unknown' },
      matchConstraints: { resourceRules },
      validations: [{ expression: 'params.nothing == "x" && object.nothing == "x"' }],
    });
  }),

  testCase('policies and bindings are shown as Tables', async (api) => {
    await api.post(
      policyPath,
      policy(api.namespace, 'a', { ...fine, paramKind: { apiVersion: 'apps/v1', kind: 'Deployment' } }),
    );
    await api.table(`${policyPath}/${api.namespace}-a`);
    const refs = [
      { name: 'a' },
      { name: 'a', namespace: 'b' },
      {
        selector: {
          matchLabels: { b: 'c', a: 'd' },
          matchExpressions: [{ key: 'e', operator: 'In', values: ['f', 'g'] }],
        },
      },
      { selector: {} },
    ];
    for (const [index, ref] of refs.entries()) {
      const paramRef = { ...ref, parameterNotFoundAction: 'Deny' };
      await api.post(bindingPath, policyBinding(api.namespace, `b${index}`, { paramRef }));
      await api.table(`${bindingPath}/${api.namespace}-b${index}`);
    }
  }),

  testCase('names that end like those of files are warned of', async (api) => {
    const name = `${api.namespace}.static.k8s.io`;
    await api.post(policyPath, { ...policy(api.namespace, 'a', fine), metadata: { name } }, { dryRun: 'All' });
    await api.post(bindingPath, { ...policyBinding(api.namespace, 'a'), metadata: { name } }, { dryRun: 'All' });
  }),
];
