// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { configMaps, configurations, selected, selecting } from '../../conversation/hooks.ts';
import { configMap } from '../../objects/objects.ts';

/** Rules for new config maps, except for these fields. */
function rulesWith(more: object) {
  return [{ ...configMaps('CREATE'), ...more }];
}

/** A webhook that denies objects with this label, when its conditions hold. */
function denyWhen(label: string, ...expressions: readonly string[]) {
  return {
    answer: 'deny' as const,
    name: `${label}.v.example.com`,
    rules: [configMaps('*')],
    ...selecting(label),
    matchConditions: expressions.map((expression, index) => ({ name: `c${index}`, expression })),
  };
}

/** Which webhooks are called. */
export const webhooks: readonly ConformanceCase[] = [
  testCase('a webhook is asked about objects that its selector selects, before or after', async (api) => {
    await api.hooks.create('validating', 'v', {
      answer: 'deny',
      rules: [configMaps('*')],
      objectSelector: { matchExpressions: [{ key: 'guarded', operator: 'In', values: ['yes', 'always'] }] },
    });
    await api.post('configmaps', configMap('a', {}, { labels: { guarded: 'yes' } }));
    await api.post('configmaps', configMap('a', {}, { labels: { guarded: 'no' } }));
    await api.patch('merge', 'configmaps/a', { metadata: { labels: { guarded: 'always' } } });
    await api.delete('configmaps/a');
  }),

  testCase('a webhook is asked about what its rules name', async (api) => {
    await api.hooks.create(
      'validating',
      'v',
      { answer: 'allow', name: 'by-group.v.example.com', rules: rulesWith({ apiGroups: ['apps'] }) },
      { answer: 'allow', name: 'by-version.v.example.com', rules: rulesWith({ apiVersions: ['v2'] }) },
      { answer: 'allow', name: 'by-operation.v.example.com', rules: rulesWith({ operations: ['UPDATE', 'CONNECT'] }) },
      {
        answer: 'allow',
        name: 'by-subresource.v.example.com',
        rules: rulesWith({ resources: ['configmaps/status', '*/scale'] }),
      },
      { answer: 'allow', name: 'by-scope.v.example.com', rules: rulesWith({ scope: 'Cluster' }) },
    );
    await api.post('configmaps', configMap('a'));
    await api.hooks.received();
    await api.hooks.create('validating', 'w', {
      answer: 'allow',
      rules: rulesWith({ resources: ['*/*'], scope: 'Namespaced' }),
    });
    await api.post('configmaps', configMap('b'));
    await api.hooks.received();
  }),

  testCase('a webhook with conditions is asked when all of them hold', async (api) => {
    await api.hooks.create(
      'validating',
      'v',
      denyWhen('object', 'object.data.color == "red"', 'request.operation == "CREATE"'),
      denyWhen('user', 'request.userInfo.username.startsWith("kube")', '"system:masters" in request.userInfo.groups'),
      denyWhen('none', 'has(object.data) && !has(object.data.color)'),
      denyWhen('old', 'oldObject == null || oldObject.data.color == "blue"'),
      denyWhen('error', 'object.data.size == "1"'),
      { ...denyWhen('ignored', 'object.data.size == "1"'), failurePolicy: 'Ignore' },
      denyWhen('false-first', 'object.data.size == "1"', 'false'),
      denyWhen('request', 'request.resource.resource == "configmaps" && request.name == "a" && !request.dryRun'),
    );
    for (const each of ['object', 'user', 'none', 'old', 'error', 'ignored', 'false-first', 'request']) {
      await api.post('configmaps', configMap(each, { color: 'red' }, selected(each)));
    }
    await api.patch('merge', 'configmaps/none', { metadata: { labels: { row: 'old' } } });
  }),

  testCase('a condition of a webhook asks what its user may', async (api) => {
    const rbac = 'rbac.authorization.k8s.io';
    const subjects = [{ kind: 'User', name: 'bob' }];
    const roleRef = { apiGroup: rbac, kind: 'Role', name: 'maker' };
    const metadata = { name: 'maker' };
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }];
    await api.post(`${rbac}/v1/roles`, { apiVersion: `${rbac}/v1`, kind: 'Role', metadata, rules });
    await api.post(`${rbac}/v1/rolebindings`, {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata,
      roleRef,
      subjects,
    });
    const mayDelete = 'authorizer.group("").resource("configmaps").namespace(request.namespace).check("delete")';
    await api.hooks.create(
      'validating',
      'v',
      denyWhen('delete', `${mayDelete}.allowed()`),
      denyWhen('reason', `${mayDelete}.reason() == "" && !${mayDelete}.errored()`),
      denyWhen('request', 'authorizer.requestResource.check("create").allowed()'),
      denyWhen('named', 'authorizer.requestResource.name("x").subresource("y").check("create").allowed()'),
      denyWhen('path', 'authorizer.path("/healthz").check("get").allowed()'),
      denyWhen(
        'account',
        'authorizer.serviceAccount("default", "bob").group("").resource("secrets").check("list").allowed()',
      ),
      denyWhen('no-path', 'authorizer.path(" ").check("get").allowed()'),
      denyWhen('no-account', 'authorizer.serviceAccount("default", "No Name").path("/x").check("get").allowed()'),
      denyWhen('no-resource', 'authorizer.group("apps").resource("").check("get").allowed()'),
    );
    for (const each of [
      'delete',
      'reason',
      'request',
      'named',
      'path',
      'account',
      'no-path',
      'no-account',
      'no-resource',
    ]) {
      const made = configMap(each, {}, selected(each));
      await api.post('configmaps', made, {}, { 'impersonate-user': 'bob' });
      await api.post('configmaps', made);
    }
  }),

  testCase('a dry run asks only webhooks without side effects', async (api) => {
    await api.hooks.create('mutating', 'm', { answer: 'add-a', sideEffects: 'NoneOnDryRun' });
    await api.post('configmaps', configMap('a'), { dryRun: 'All' });
    await api.hooks.received();
    await api.get('configmaps/a');
  }),

  testCase('configurations of webhooks are not shown to webhooks', async (api) => {
    const rules = [
      { operations: ['*'], apiGroups: ['admissionregistration.k8s.io'], apiVersions: ['*'], resources: ['*'] },
    ];
    await api.hooks.create('validating', 'v', { answer: 'deny', rules });
    await api.hooks.create('mutating', 'm', { answer: 'deny', rules });
    await api.delete(`${configurations('validating')}/${api.namespace}-v`);
    await api.delete(`${configurations('mutating')}/${api.namespace}-m`);
  }),

  testCase('a configuration that is changed or deleted counts at once', async (api) => {
    await api.hooks.create('validating', 'v', { answer: 'deny' });
    await api.post('configmaps', configMap('a'));
    const path = `${configurations('validating')}/${api.namespace}-v`;
    await api.patch('json', path, [{ op: 'replace', path: '/webhooks/0/rules/0/operations', value: ['DELETE'] }]);
    await api.hooks.settle('validating');
    await api.post('configmaps', configMap('a'));
    await api.delete('configmaps/a');
    await api.delete(path);
    await api.hooks.settle('validating');
    await api.delete('configmaps/a');
  }),
];
