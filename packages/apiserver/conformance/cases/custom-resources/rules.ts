// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { defineValues, definitions, valueDefinition } from '../../objects/define-values.ts';

const string = { type: 'string' };
const integer = { type: 'integer' };
const strings = { type: 'array', items: string };

/** An object schema with these properties and rules. */
function ruled(properties: object, ...rules: object[]) {
  return { type: 'object', properties, ...(rules.length > 0 && { 'x-kubernetes-validations': rules }) };
}

function reference() {
  return { type: 'object', required: ['name'], properties: { name: string } };
}

/** Tries to create a value with each of these specs. */
function each(name: string, schema: object, specs: readonly object[]): ConformanceCase {
  return testCase(name, async (api) => {
    const { path, value } = await defineValues(api, { spec: schema });
    for (const [index, spec] of specs.entries()) await api.post(path, value(`v${index}`, spec));
  });
}

/** Tries to create definitions whose specs have these schemas. */
async function refuse(api: Conversation, ...schemas: object[]): Promise<void> {
  for (const schema of schemas) await api.post(definitions, valueDefinition(api, { spec: schema }));
}

const database = ruled(
  { clusterRef: reference(), host: string },
  { rule: 'has(self.clusterRef) != has(self.host)', message: 'exactly one of clusterRef or host must be set' },
);
const cache = ruled(
  { clusterRef: reference(), servers: strings },
  {
    rule: 'has(self.clusterRef) != (has(self.servers) && size(self.servers) > 0)',
    message: 'exactly one of clusterRef or servers must be set',
  },
);
const policyOverrides = ruled(
  { rules: { type: 'object', additionalProperties: string }, configMapRef: reference() },
  {
    rule: '(has(self.rules) && size(self.rules) > 0) || has(self.configMapRef)',
    message: 'at least one of rules or configMapRef must be set',
  },
  { rule: "!has(self.rules) || self.rules.all(k, k != '')", message: 'policy rule name must not be empty' },
);
const percentage = { type: 'integer', format: 'int32', minimum: 1, maximum: 100 };
const autoscaling = ruled(
  {
    minReplicas: { ...integer, format: 'int32', minimum: 1 },
    maxReplicas: { ...integer, format: 'int32', minimum: 1 },
    targetCPUUtilization: percentage,
    targetMemoryUtilization: percentage,
  },
  {
    rule: 'has(self.targetCPUUtilization) || has(self.targetMemoryUtilization)',
    message: 'at least one of targetCPUUtilization or targetMemoryUtilization must be set',
  },
);
const networkPolicy = {
  ...ruled(
    { ingress: { type: 'array', items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } },
    { rule: 'size(self.ingress) > 0', message: 'at least one ingress source must be specified' },
  ),
  required: ['ingress'],
};
const atLeast = (minimum: number) => ({ ...integer, format: 'int32', minimum });

/** CEL rules of definitions. */
export const rules: readonly ConformanceCase[] = [
  each('a database is a cluster or a host', ruled({ database }), [
    { database: { clusterRef: { name: 'a' } } },
    { database: { host: 'db' } },
    { database: { clusterRef: { name: 'a' }, host: 'db' } },
    { database: {} },
    {},
  ]),

  each('a cache is a cluster or servers', ruled({ cache }), [
    { cache: { clusterRef: { name: 'a' } } },
    { cache: { clusterRef: { name: 'a' }, servers: [] } },
    { cache: { servers: ['a:11211'] } },
    { cache: { clusterRef: { name: 'a' }, servers: ['a:11211'] } },
    { cache: { servers: [] } },
  ]),

  each('policies are rules with names or a config map', ruled({ policyOverrides }), [
    { policyOverrides: { rules: { 'identity:get_user': 'role:admin' } } },
    { policyOverrides: { configMapRef: { name: 'a' } } },
    { policyOverrides: {} },
    { policyOverrides: { rules: {} } },
    { policyOverrides: { rules: { '': 'role:admin' } } },
    { policyOverrides: { rules: { '': 'role:admin' }, configMapRef: {} } },
  ]),

  each('scaling has a target and a network policy has a source', ruled({ autoscaling, networkPolicy }), [
    { autoscaling: { maxReplicas: 3, targetCPUUtilization: 80 }, networkPolicy: { ingress: [{ from: [] }] } },
    { autoscaling: { maxReplicas: 3 } },
    { autoscaling: { targetMemoryUtilization: 101 } },
    { autoscaling: { minReplicas: 0, targetCPUUtilization: 80 } },
    { networkPolicy: { ingress: [] } },
    { networkPolicy: {} },
  ]),

  each(
    'counts and names have minimums beside the rules',
    ruled({
      replicas: atLeast(1),
      fernet: ruled({ maxActiveKeys: atLeast(3) }),
      terminationGracePeriodSeconds: atLeast(10),
      preStopSleepSeconds: atLeast(0),
      gateway: ruled({ hostname: { ...string, minLength: 1 } }),
      database,
    }),
    [
      { replicas: 0 },
      { fernet: { maxActiveKeys: 2 } },
      { terminationGracePeriodSeconds: 9 },
      { preStopSleepSeconds: -1 },
      { gateway: { hostname: '' } },
      { replicas: 1, fernet: { maxActiveKeys: 3 }, terminationGracePeriodSeconds: 10, preStopSleepSeconds: 0 },
    ],
  ),

  testCase('a transition rule compares with what was', async (api) => {
    const grows = [{ rule: 'self >= oldSelf', message: 'may only grow' }];
    const spec = ruled(
      {
        size: { ...integer, 'x-kubernetes-validations': grows },
        name: { ...string, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
      },
      { rule: '!has(oldSelf.name) || has(self.name)', message: 'name may not be removed' },
    );
    const { path, value } = await defineValues(api, { spec });
    await api.post(path, value('a', { size: 3 }));
    await api.patch('merge', `${path}/a`, { spec: { size: 2 } });
    await api.patch('merge', `${path}/a`, { spec: { size: 4, name: 'x' } });
    await api.patch('merge', `${path}/a`, { spec: { name: 'y' } });
    await api.patch('merge', `${path}/a`, { spec: { name: null } });
    await api.apply(`${path}/b`, 'me', value('b', { size: 1 }));
    await api.apply(`${path}/b`, 'me', value('b', { size: 0 }));
  }),

  testCase('a transition rule may ask whether something was', async (api) => {
    const optional = { rule: '!oldSelf.hasValue() || self != oldSelf.value()', optionalOldSelf: true };
    const creation = { rule: "oldSelf.hasValue() || self.startsWith('a')", optionalOldSelf: true };
    const name = { ...string, 'x-kubernetes-validations': [optional, creation] };
    const { path, value } = await defineValues(api, { spec: ruled({ size: integer, name }) });
    await api.post(path, value('a', { name: 'b' }));
    await api.post(path, value('a', { name: 'a' }));
    await api.patch('merge', `${path}/a`, { spec: { size: 1 } });
    await api.patch('merge', `${path}/a`, { spec: { name: 'b' } });
  }),

  testCase('what breaks a rule already may stay as it is', async (api) => {
    const path = `${definitions}/values.${api.namespace}.example.com`;
    const { path: values, value } = await defineValues(api, {
      spec: ruled({ size: integer, list: strings, host: string }),
    });
    await api.post(values, value('a', { size: 3 }));
    const strict = ruled({
      size: { ...integer, 'x-kubernetes-validations': [{ rule: 'self > 5' }] },
      list: { ...strings, 'x-kubernetes-validations': [{ rule: 'size(self) > 1' }] },
      host: string,
    });
    const changes = [
      { op: 'replace', path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec', value: strict },
      { op: 'add', path: '/spec/versions/0/subresources', value: { status: {} } },
    ];
    await api.patch('json', path, changes, { fieldManager: 'stricter' });
    // The status path is served at the same time as the new schema.
    await api.eventually(`${values}/a/status`, (_, status) => status === 200);
    await api.post(values, value('b', { size: 3 }));
    await api.patch('merge', `${values}/a`, { spec: { host: 'x' } });
    await api.patch('merge', `${values}/a`, { spec: { size: 4 } });
    await api.patch('merge', `${values}/a`, { spec: { list: ['y'] } });
    await api.patch('merge', `${values}/a`, { spec: { size: 6 } });
  }),

  each(
    'a rule says its own message, reason and field',
    ruled(
      { kind: string, size: integer, limits: { type: 'object', additionalProperties: integer } },
      { rule: "self.kind != 'silent'" },
      { rule: "self.kind != 'plain'", message: 'plain is not enough' },
      { rule: "self.kind != 'told'", messageExpression: "'kind ' + self.kind + ' is not enough'" },
      { rule: "self.kind != 'erring'", message: 'it erred', messageExpression: 'string(self.size / 0)' },
      { rule: "self.kind != 'blank'", message: 'it was blank', messageExpression: "' '" },
      { rule: "self.kind != 'field'", fieldPath: '.size', reason: 'FieldValueForbidden', message: 'not with this' },
      { rule: "self.kind != 'key'", fieldPath: ".limits['a.b']", reason: 'FieldValueRequired' },
      { rule: "self.kind != 'twice'", fieldPath: '.kind', reason: 'FieldValueDuplicate' },
      { rule: "self.kind != 'lines'\n  && self.kind != 'more'", message: 'a line is one line' },
    ),
    ['silent', 'plain', 'told', 'erring', 'blank', 'field', 'key', 'twice', 'lines', 'fine'].map((kind) => ({
      kind,
      size: 1,
    })),
  ),

  testCase('a rule that is no expression is refused', async (api) => {
    await refuse(
      api,
      ruled({ size: integer }, { rule: 'self.size >' }),
      ruled({ size: integer }, { rule: 'self.weight > 1' }),
      ruled({ size: integer }, { rule: "self.size == 'a'" }),
      ruled({ size: integer }, { rule: 'self.size' }),
      ruled({ size: integer }, { rule: '' }),
      ruled({ size: integer }, { rule: 'unknown(self)', message: '' }),
      ruled({ size: integer }, { rule: 'true', message: 'two\nlines' }),
      ruled({ size: integer }, { rule: 'true', messageExpression: 'self.size' }),
      ruled({ size: integer }, { rule: 'true', reason: 'Whatever' }),
      ruled({ size: integer }, { rule: 'true', fieldPath: '.weight' }),
      ruled({ size: integer }, { rule: 'true', fieldPath: 'size[' }),
      ruled({ size: integer }, { rule: 'self.size > 1', optionalOldSelf: true }),
      ruled({
        list: { type: 'array', items: { ...string, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] } },
      }),
    );
  }),

  testCase('a rule that costs too much is refused', async (api) => {
    const nested = { rule: 'self.all(a, self.all(b, a == b))' };
    const contains = { rule: "self.contains('a')" };
    const matrix = {
      type: 'array',
      items: { type: 'array', items: { ...string, 'x-kubernetes-validations': [contains] } },
    };
    await refuse(
      api,
      ruled({ list: { ...strings, 'x-kubernetes-validations': [nested] } }),
      ruled({ matrix }),
      ruled({ list: strings }, { rule: 'self.list.all(a, self.list.all(b, self.list.all(c, a == b || b == c)))' }),
    );
    const items = { ...string, maxLength: 10 };
    const list = { type: 'array', maxItems: 10, items, 'x-kubernetes-validations': [nested] };
    await defineValues(api, { spec: ruled({ list }) });
  }),

  each(
    'a rule that errs is broken',
    ruled(
      { size: integer, list: strings, map: { type: 'object', additionalProperties: string }, text: string },
      { rule: '!has(self.size) || 10 / self.size > 1', message: 'too large' },
      { rule: "!has(self.list) || self.list[1] == 'b'" },
      { rule: "!has(self.map) || self.map['a'] == 'b'" },
      { rule: "!has(self.text) || duration(self.text) > duration('1s')" },
    ),
    [
      { size: 0 },
      { size: 100 },
      { list: ['a'] },
      { map: {} },
      { text: 'soon' },
      { size: 1, map: { a: 'b' }, text: '2s' },
    ],
  ),
];
