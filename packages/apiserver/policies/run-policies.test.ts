// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { ValidatingAdmissionPolicySpec } from '@forge/kube/generated/types.ts';
import {
  ConfigMap,
  Namespace,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@forge/kube/kinds/builtin.ts';
import { turnsOf } from '@forge/testing/turns-of.ts';
import { testServer, type TestServer } from '../test/test-server.ts';

const group = 'admissionregistration.k8s.io/v1';
const rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE' as const] };
const everything = { apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], operations: ['*' as const] };

/** A policy about ConfigMaps, which denies them all unless it says otherwise. */
const policy = (name: string, spec: Partial<ValidatingAdmissionPolicySpec> = {}): ValidatingAdmissionPolicy => ({
  apiVersion: group,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: {
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: 'false', message: `said by ${name}` }],
    ...spec,
  },
});

const binding = (name: string, policyName: string, action = 'Deny'): ValidatingAdmissionPolicyBinding => ({
  apiVersion: group,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name },
  spec: { policyName, validationActions: [action] },
});

/** An expression that is true, and costs about half of what a single one may. */
const expensive = [1, 2, 3, 4, 5].reduce(
  (body, depth) => `[0,1,2,3,4,5,6,7,8,9].all(i${depth}, ${body})`,
  "'a' != 'b'",
);
const times = <T>(count: number, each: T): T[] => Array.from({ length: count }, () => each);

describe('admission policies', () => {
  let server: TestServer;

  beforeEach(async () => {
    server = await testServer();
  });

  const bind = async (spec: Partial<ValidatingAdmissionPolicySpec>, action?: string) => {
    await server.api.create(ValidatingAdmissionPolicy, policy('p', spec));
    await server.api.create(ValidatingAdmissionPolicyBinding, binding('b', 'p', action));
  };
  const create = (metadata: object = { name: 'a' }) =>
    server.transport.request({ method: 'POST', path: '/api/v1/namespaces/default/configmaps', body: { metadata } });
  const messageOf = async (metadata?: object) => ((await create(metadata)).body as { message?: string }).message ?? '';

  test('deny in the order of their names, not of those of their bindings: the first one does', async () => {
    for (const [policyName, bindingName] of [
      ['a-policy', 'z-binding'],
      ['b-policy', 'a-binding'],
    ] as const) {
      await server.api.create(ValidatingAdmissionPolicy, policy(policyName));
      await server.api.create(ValidatingAdmissionPolicyBinding, binding(bindingName, policyName));
    }
    assert.equal(
      await messageOf({ name: 'denied' }),
      "configmaps \"denied\" is forbidden: ValidatingAdmissionPolicy 'a-policy' with binding 'z-binding' denied request: said by a-policy",
    );
  });

  test('read their params in the namespace that the binding names, not in that of the request', async () => {
    const colors = (namespace: string, data: Record<string, string>) =>
      server.api.create(ConfigMap, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace, name: 'colors' },
        data,
      });
    await server.api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shared' } });
    await colors('shared', { red: 'yes' });
    await colors('default', { blue: 'yes' });
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    const validations = [{ expression: 'object.metadata.name in params.data' }];
    await server.api.create(ValidatingAdmissionPolicy, policy('p', { paramKind, validations }));
    const paramRef = { name: 'colors', namespace: 'shared', parameterNotFoundAction: 'Deny' };
    const { spec, ...rest } = binding('b', 'p');
    await server.api.create(ValidatingAdmissionPolicyBinding, { ...rest, spec: { ...spec, paramRef } });
    assert.equal(await messageOf({ name: 'red' }), '');
    assert.match(await messageOf({ name: 'blue' }), /denied request: failed expression/);
  });

  test('do not see reviews: who may do what can always be asked', async () => {
    await bind({ matchConstraints: { resourceRules: [everything] } });
    const reviews = {
      'authentication.k8s.io/v1/tokenreviews': { token: 'x' },
      'authentication.k8s.io/v1/selfsubjectreviews': undefined,
      'authorization.k8s.io/v1/subjectaccessreviews': {
        user: 'jane',
        nonResourceAttributes: { path: '/', verb: 'get' },
      },
      'authorization.k8s.io/v1/selfsubjectaccessreviews': { nonResourceAttributes: { path: '/', verb: 'get' } },
      'authorization.k8s.io/v1/selfsubjectrulesreviews': { namespace: 'default' },
    };
    for (const [path, spec] of Object.entries(reviews)) {
      const body = spec === undefined ? {} : { spec };
      const { status } = await server.transport.request({ method: 'POST', path: `/apis/${path}`, body });
      assert.equal(status, 201, path);
    }
    assert.equal((await create()).status, 422);
  });

  test('show the beginning of a name that is not generated yet', async () => {
    await bind({});
    assert.match(await messageOf({ generateName: 'begins-' }), /^configmaps "begins-[^"]*" is forbidden/);
  });

  test('show an expression without the blanks around it, where there is no message', async () => {
    await bind({ validations: [{ expression: '\n  1 == 2\n ' }] });
    assert.match(await messageOf(), /denied request: failed expression: 1 == 2$/);
  });

  test('deny, and do not also warn, when an annotation fails', async () => {
    const failing = { key: 'k', valueExpression: 'string(object.data.nothing)' };
    await bind({ validations: [], auditAnnotations: [failing] }, 'Warn');
    const { status, warnings = [] } = await create();
    assert.deepEqual([status, warnings], [422, []]);
  });

  test('evaluate a variable once, however many expressions read it', async () => {
    const variables = [{ name: 'costly', expression: expensive }];
    await bind({ variables, validations: times(45, { expression: 'variables.costly' }) });
    assert.equal((await create()).status, 201);
  });

  test('may spend a quarter of their cost limit on conditions', async () => {
    const conditions = times(12, expensive).map((expression, index) => ({ name: `c${index}`, expression }));
    await bind({ matchConditions: conditions });
    assert.match(await messageOf(), /denied request: validation failed due to running out of cost budget/);
  });

  test('spend on messages what their validations have left', async () => {
    const validation = { expression: `!(${expensive})`, messageExpression: `${expensive} ? 'told' : ''` };
    await bind({ validations: times(5, validation) });
    assert.match(await messageOf(), /denied request: told$/);
    await server.api.patch(ValidatingAdmissionPolicy, { name: 'p' }, 'merge', {
      spec: { validations: times(15, validation) },
    });
    assert.match(await messageOf(), /denied request: failed messageExpression: validation failed due to running out/);
  });

  test('let other requests be served while they are expensive', async () => {
    await server.api.create(
      ValidatingAdmissionPolicy,
      policy('p', { validations: times(4, { expression: expensive }) }),
    );
    const names = times(6, 'b').map((name, index) => `${name}${index}`);
    for (const name of names) await server.api.create(ValidatingAdmissionPolicyBinding, binding(name, 'p'));
    const turns = await turnsOf(async () => assert.equal((await create()).status, 201));
    assert.ok(turns >= names.length, `${turns} turns`);
  });

  test('let other requests be served between the expressions of one policy', async () => {
    const matchConditions = times(4, expensive).map((expression, index) => ({ name: `c${index}`, expression }));
    await bind({ matchConditions, validations: times(19, { expression: expensive }) });
    const turns = await turnsOf(async () => assert.equal((await create()).status, 201));
    assert.ok(turns >= 7, `${turns} turns`);
  });

  test('end an expression whose variables cost too much together', async () => {
    const variables = times(20, expensive).map((expression, index) => ({ name: `v${index}`, expression }));
    const sumOf = (count: number) => ({
      expression: variables
        .slice(0, count)
        .map(({ name }) => `variables.${name}`)
        .join(' && '),
    });
    await bind({ variables, validations: [sumOf(3), { expression: 'variables.v5' }] });
    assert.equal(await messageOf({ name: 'a' }), '');
    await server.api.patch(ValidatingAdmissionPolicy, { name: 'p' }, 'merge', { spec: { validations: [sumOf(20)] } });
    assert.match(await messageOf({ name: 'b' }), /fails to evaluate: operation cancelled: actual cost limit exceeded/);
  });

  test('are refused when their expressions are too many or too long', async () => {
    const { transport } = server;
    const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
    for (const [validations, message] of [
      [times(1001, { expression: 'true' }), 'too many expressions: 1001, limit is 1000'],
      [
        times(2, { expression: `true${' '.repeat(20_000)}` }),
        'too many characters of expressions: 40008, limit is 32768',
      ],
    ] as const) {
      const { status, body } = await transport.request({ method: 'POST', path, body: policy('p', { validations }) });
      assert.equal(status, 422);
      const why = `ValidatingAdmissionPolicy.admissionregistration.k8s.io "p" is invalid: spec: Forbidden: ${message}`;
      assert.equal((body as { message?: string }).message, why);
    }
  });
});
