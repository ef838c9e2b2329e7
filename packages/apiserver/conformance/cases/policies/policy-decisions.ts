// SPDX-License-Identifier: Apache-2.0
import { as, grant, rule } from '../../conversation/callers.ts';
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { configMaps } from '../../conversation/hooks.ts';
import { bindingPath, policyPath } from '../../conversation/policies.ts';
import { configMap } from '../../objects/objects.ts';

const isRed = { expression: "object.data.color == 'red'" };

/** Tries to create a config map of each of these colors. */
async function tryColors(api: Conversation, ...colors: readonly string[]): Promise<void> {
  for (const color of colors) await api.post('configmaps', configMap('a', { color }), { dryRun: 'All' });
}

function unlessNamed(name: string) {
  return `object.metadata.name != '${name}'`;
}

/** What admission policies evaluate and decide. */
export const policyDecisions: readonly ConformanceCase[] = [
  testCase('a policy denies what fails a validation', async (api) => {
    await api.policies.create('p', {
      validations: [
        isRed,
        { expression: '\n  size(object.data) < 2 ', message: '  has too much data ' },
        { expression: "!('x' in object.data)", message: 'x', reason: 'Forbidden' },
      ],
    });
    await tryColors(api, 'red', 'blue');
    await api.post('configmaps', configMap('a', { color: 'red', more: '1' }));
    await api.post('configmaps', configMap('a', { color: 'red' }));
    await api.patch('merge', 'configmaps/a', { data: { color: 'green' } });
    await api.apply('configmaps/b', 'me', configMap('b', { color: 'green' }));
    await api.post('secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } });
  }),

  testCase('a policy without a binding, and a binding without a policy, decide nothing', async (api) => {
    await api.policies.create('p', { validations: [isRed] }, null);
    await tryColors(api, 'blue');
    await api.delete(`${policyPath}/${api.namespace}-p`);
    await api.policies.settle();
    await tryColors(api, 'blue');
  }),

  testCase('the reason of a validation determines the status code', async (api) => {
    await api.policies.create('p', {
      validations: [
        { expression: unlessNamed('forbidden'), reason: 'Forbidden', message: 'f' },
        { expression: unlessNamed('invalid'), reason: 'Invalid', message: 'i' },
        { expression: unlessNamed('large'), reason: 'RequestEntityTooLarge', message: 'l' },
        { expression: unlessNamed('none') },
      ],
    });
    for (const name of ['forbidden', 'invalid', 'large', 'none']) await api.post('configmaps', configMap(name));
  }),

  testCase('a message can be an expression', async (api) => {
    const cases: Readonly<Record<string, object>> = {
      used: { messageExpression: "'the color is ' + object.data.color", message: 'not used' },
      trimmed: { messageExpression: "'  spaces  '" },
      missing: { messageExpression: 'string(object.data.nothing)', message: 'instead of an error' },
      empty: { messageExpression: "' '", message: 'instead of nothing' },
      lines: { messageExpression: "'two\\nlines'", message: 'instead of lines' },
      unwritten: { messageExpression: 'string(object.data.nothing)' },
      long: {
        messageExpression: 'string(object.data.long) + string(object.data.long)',
        message: 'instead of too much',
      },
    };
    await api.policies.create('p', {
      validations: Object.entries(cases).map(([name, more]) => ({
        expression: `object.metadata.name != '${name}'`,
        ...more,
      })),
    });
    for (const name of Object.keys(cases)) {
      await api.post('configmaps', configMap(name, { color: 'blue', long: 'x'.repeat(2600) }));
    }
  }),

  testCase('a policy can warn or be silent instead of denying', async (api) => {
    await api.policies.create('warn', { validations: [isRed] }, { validationActions: ['Warn', 'Audit'] });
    await api.policies.create('audit', { validations: [isRed] }, { validationActions: ['Audit'] });
    await api.post('configmaps', configMap('a', { color: 'blue' }));
    await api.post('configmaps', configMap('b', { color: 'red' }));
    await api.patch('merge', 'configmaps/b', { data: { color: 'green' } });
  }),

  testCase('a policy compares an object with what it was', async (api) => {
    const rules = [configMaps('*')];
    await api.policies.create('p', {
      matchConstraints: { resourceRules: rules },
      validations: [
        { expression: 'oldObject == null || object == null || object.data.color == oldObject.data.color' },
        { expression: "request.operation != 'DELETE' || (object == null && oldObject.data.color != 'red')" },
        { expression: "request.operation != 'CREATE' || oldObject == null" },
      ],
    });
    await api.post('configmaps', configMap('a', { color: 'red' }));
    await api.post('configmaps', configMap('b', { color: 'blue' }));
    await api.patch('merge', 'configmaps/a', { data: { color: 'green' } });
    await api.patch('merge', 'configmaps/a', { data: { size: '1' } });
    await api.delete('configmaps/a');
    await api.delete('configmaps/b');
    await api.delete('configmaps');
  }),

  testCase('a policy sees who asks for what', async (api) => {
    const parts = [
      'request.kind.kind',
      'request.kind.group',
      'request.kind.version',
      'request.resource.resource',
      'request.requestKind.kind',
      'request.requestResource.resource',
      'request.name',
      'request.namespace',
      'request.operation',
      'request.userInfo.username',
      "request.userInfo.groups.join('+')",
      'string(request.dryRun)',
      'request.options.kind',
      'string(has(request.subResource))',
      'string(has(request.userInfo.uid))',
    ];
    await api.policies.create('p', {
      validations: [{ expression: 'false', messageExpression: parts.join(" + ' ' + ") }],
    });
    await grant(api, 'jane', 'jane', rule('configmaps', 'create'));
    await api.catchUp();
    await api.post('configmaps', configMap('a'));
    await api.post('configmaps', configMap('a'), { dryRun: 'All', fieldManager: 'me' }, as('jane', 'friends'));
  }),

  testCase('a policy sees the namespace of an object', async (api) => {
    await api.patch('merge', `/api/v1/namespaces/${api.namespace}`, { metadata: { labels: { tier: 'gold' } } });
    const text = [
      'namespaceObject.metadata.name',
      'namespaceObject.metadata.labels.tier',
      'namespaceObject.status.phase',
      'namespaceObject.spec.finalizers[0]',
      'string(has(namespaceObject.metadata.annotations))',
    ].join(" + ' ' + ");
    await api.policies.create('p', {
      validations: [{ expression: "namespaceObject.metadata.labels.tier != 'gold'", messageExpression: text }],
    });
    await api.catchUp();
    await api.post('configmaps', configMap('a'));
  }),

  testCase('cluster-scoped objects have no namespace for a policy', async (api) => {
    const row = { row: api.namespace };
    const roles = { apiGroups: ['rbac.authorization.k8s.io'], apiVersions: ['v1'], resources: ['clusterroles'] };
    const namespaces = { apiGroups: [''], apiVersions: ['v1'], resources: ['namespaces'] };
    await api.policies.create('p', {
      matchConstraints: {
        namespaceSelector: {},
        objectSelector: { matchLabels: row },
        resourceRules: [
          { operations: ['CREATE', 'UPDATE'], ...roles },
          { operations: ['UPDATE'], ...namespaces },
        ],
      },
      validations: [
        {
          expression: 'namespaceObject != null',
          messageExpression: "request.kind.kind + (has(request.namespace) ? ' in ' + request.namespace : ' in none')",
        },
      ],
    });
    const metadata = { name: `${api.namespace}-a`, labels: row };
    await api.post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata,
    });
    await api.patch('merge', `/api/v1/namespaces/${api.namespace}`, { metadata: { labels: row } });
  }),

  testCase('a policy asks what a user may do', async (api) => {
    await grant(api, 'jane', 'jane', rule('configmaps', 'create'), rule('secrets', 'get'));
    await api.catchUp();
    await api.policies.create('p', {
      variables: [{ name: 'secrets', expression: "authorizer.group('').resource('secrets')" }],
      validations: [
        { expression: "authorizer.requestResource.check('create').allowed()", message: 'may not create this' },
        { expression: "authorizer.requestResource.check('delete').allowed()", message: 'may not delete this' },
        {
          expression: `!variables.secrets.namespace('${api.namespace}').check('get').allowed()`,
          message: 'may read secrets',
        },
        { expression: "authorizer.path('/metrics').check('get').allowed()", message: 'may not read metrics' },
        {
          expression: `!authorizer.serviceAccount('${api.namespace}', 'default').group('').resource('configmaps').check('create').allowed()`,
          message: 'the account may create this',
        },
      ],
    });
    await api.post('configmaps', configMap('a'), { dryRun: 'All' }, as('jane'));
    await api.post('configmaps', configMap('a'), { dryRun: 'All' });
    await grant(api, 'more', 'jane', rule('configmaps', 'delete'));
    await api.catchUp();
    await api.post('configmaps', configMap('a'), { dryRun: 'All' }, as('jane'));
  }),

  testCase('a policy has variables, each evaluated when it is needed', async (api) => {
    await api.policies.create('p', {
      variables: [
        { name: 'color', expression: "has(object.data.color) ? object.data.color : 'none'" },
        { name: 'known', expression: "['red', 'green']" },
        { name: 'isKnown', expression: 'variables.color in variables.known' },
        { name: 'broken', expression: 'object.data.nothing' },
        { name: 'failing', expression: 'variables.broken + variables.color' },
      ],
      validations: [
        {
          expression: 'variables.isKnown',
          messageExpression: "variables.color + ' is not one of ' + variables.known.join(', ')",
        },
        { expression: "object.metadata.name != 'broken' || variables.broken == 'x'" },
        { expression: "object.metadata.name != 'failing' || variables.failing == 'x'" },
        { expression: 'size(variables.known) == 2 && variables.isKnown' },
      ],
    });
    await tryColors(api, 'red', 'blue');
    await api.post('configmaps', configMap('a'));
    await api.post('configmaps', configMap('broken', { color: 'red' }));
    await api.post('configmaps', configMap('failing', { color: 'red' }));
  }),

  testCase('an error in a validation counts by the failure policy', async (api) => {
    const validations = [{ expression: "object.data.nothing == 'x'", message: 'not used' }];
    const broken = (name: string) => ({
      validations,
      matchConstraints: { objectSelector: { matchLabels: { for: name } } },
    });
    await api.policies.create('fail', broken('fail'));
    await api.policies.create('ignore', { ...broken('ignore'), failurePolicy: 'Ignore' });
    await api.policies.create('warn', broken('warn'), { validationActions: ['Warn'] });
    for (const name of ['fail', 'ignore', 'warn']) {
      await api.post('configmaps', configMap(name, { a: 'b' }, { labels: { for: name } }));
    }
    await api.post('configmaps', configMap('none', {}, { labels: { for: 'fail' } }));
  }),

  testCase('types that do not fit are errors of a validation', async (api) => {
    const wrong = [
      'object.data.color > 3',
      'object.data.color + object.metadata.labels == object',
      'object.spec.replicas > 3',
      'int(object.data.color) == 3',
      'namespaceObject.metadata.creationTimestamp < timestamp("2020-01-01T00:00:00Z")',
      "duration(object.data.color) > duration('1s')",
      'object.metadata.labels.all(k, object.metadata.labels[k] > 1)',
    ];
    for (const [index, expression] of wrong.entries()) {
      await api.policies.create(`p${index}`, {
        matchConstraints: { objectSelector: { matchLabels: { for: `p${index}` } } },
        validations: [{ expression }],
      });
      await api.post('configmaps', configMap('a', { color: 'red' }, { labels: { for: `p${index}` } }));
    }
  }),

  testCase('a validation that costs too much is an error', async (api) => {
    const list = '[0,1,2,3,4,5,6,7,8,9]';
    const nested = (depth: number, body: string): string =>
      depth === 0 ? body : `${list}.all(i${depth}, ${nested(depth - 1, body)})`;
    const one = (name: string, validations: readonly object[]) =>
      api.policies.create(name, {
        matchConstraints: { objectSelector: { matchLabels: { for: name } } },
        validations,
      });
    await one('call', [{ expression: nested(6, "object.data.color == 'red'") }]);
    const cheap = { expression: nested(5, "'a' != 'b'") };
    await one(
      'budget',
      Array.from({ length: 40 }, () => cheap),
    );
    await one('enough', [cheap]);
    for (const name of ['call', 'budget', 'enough']) {
      await api.post('configmaps', configMap(name, { color: 'red' }, { labels: { for: name } }));
    }
  }),

  testCase('an audit annotation that fails denies what the actions let pass', async (api) => {
    const annotate = (name: string, valueExpression: string, more: object = {}) =>
      api.policies.create(
        name,
        {
          matchConstraints: { objectSelector: { matchLabels: { for: name } } },
          auditAnnotations: [{ key: 'color', valueExpression }],
          ...more,
        },
        { validationActions: ['Audit'] },
      );
    await annotate('fine', "'color: ' + object.data.color");
    await annotate('none', 'null');
    await annotate('broken', 'string(object.data.nothing)');
    await annotate('ignored', 'string(object.data.nothing)', { failurePolicy: 'Ignore' });
    await annotate('asking', "authorizer.path('/metrics').check('get').allowed() ? 'yes' : 'no'");
    for (const name of ['fine', 'none', 'broken', 'ignored', 'asking']) {
      await api.post('configmaps', configMap(name, { color: 'red' }, { labels: { for: name } }));
    }
  }),

  testCase('a policy sees writes that change nothing', async (api) => {
    await api.apply('configmaps/a', 'me', configMap('a', { color: 'blue' }));
    await api.policies.create('p', { validations: [isRed] });
    await api.apply('configmaps/a', 'me', configMap('a', { color: 'blue' }));
    await api.patch('merge', 'configmaps/a', {});
  }),

  testCase('a changed policy or binding counts, and a deleted one does not', async (api) => {
    await api.policies.create('p', { validations: [isRed] });
    await tryColors(api, 'blue');
    const path = `${policyPath}/${api.namespace}-p`;
    await api.patch('json', path, [
      { op: 'replace', path: '/spec/validations', value: [{ expression: "object.data.color == 'blue'" }] },
    ]);
    await api.policies.settle();
    await tryColors(api, 'blue', 'red');
    await api.patch('merge', `${bindingPath}/${api.namespace}-p`, { spec: { validationActions: ['Warn'] } });
    await api.policies.settle();
    await tryColors(api, 'red');
    await api.delete(`${bindingPath}/${api.namespace}-p`);
    await api.policies.settle();
    await tryColors(api, 'red');
  }),
];
