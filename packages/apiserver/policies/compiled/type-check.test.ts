// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { ValidatingAdmissionPolicySpec } from '@forge/kube/generated/types.ts';
import { ValidatingAdmissionPolicy } from '@forge/kube/kinds/builtin.ts';
import { testServer, type TestServer } from '../../test/test-server.ts';

const apps = (...resources: string[]) => ({
  operations: ['*'],
  apiGroups: ['apps'],
  apiVersions: ['v1'],
  resources,
});

describe('the type check of an admission policy', () => {
  let server: TestServer;

  beforeEach(async () => {
    server = await testServer();
  });

  /** The warnings in the status of a policy, as field and first line. */
  async function warningsOf(spec: ValidatingAdmissionPolicySpec): Promise<string[]> {
    const { api, clock } = server;
    const apiVersion = 'admissionregistration.k8s.io/v1';
    const ref = { name: 'p' };
    await api.create(ValidatingAdmissionPolicy, {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata: ref,
      spec,
    });
    await clock.until(async () => (await api.get(ValidatingAdmissionPolicy, ref)).status?.observedGeneration === 1);
    const { status } = await api.get(ValidatingAdmissionPolicy, ref);
    return (status?.typeChecking?.expressionWarnings ?? []).map(
      ({ fieldRef, warning }) => `${fieldRef.replace('spec.', '')} ${warning.split('\n')[0]}`,
    );
  }

  test('knows the types of variables, and of what the params are', async () => {
    const warnings = await warningsOf({
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConstraints: { resourceRules: [apps('deployments')] },
      variables: [
        { name: 'replicas', expression: 'object.spec.replicas' },
        { name: 'limit', expression: 'params.data.limit' },
        { name: 'wrong', expression: 'object.nothing' },
      ],
      validations: [
        { expression: 'variables.replicas < 3' },
        { expression: "variables.replicas == 'x'" },
        { expression: 'variables.limit == 3' },
        { expression: 'params.nothing == 3' },
        { expression: 'variables.wrong.anything == 3' },
      ],
    });
    const kind = 'apps/v1, Kind=Deployment: ERROR: <input>:1:';
    assert.deepEqual(warnings, [
      `validations[1].expression ${kind}20: found no matching overload for '_==_' applied to '(int, string)'`,
      `validations[2].expression ${kind}17: found no matching overload for '_==_' applied to '(string, int)'`,
      `validations[3].expression ${kind}7: undefined field 'nothing'`,
    ]);
  });

  test('looks at ten kinds of a rule', async () => {
    const { resources } = (await server.get('/api/v1')).body as { resources: { name: string }[] };
    const plurals = resources.map(({ name }) => name).filter((name) => !name.includes('/'));
    assert.ok(plurals.length > 10);
    const warnings = await warningsOf({
      matchConstraints: {
        resourceRules: [{ ...apps(...plurals), apiGroups: [''] }],
      },
      validations: [{ expression: 'object.nothing == 1' }],
    });
    assert.equal(warnings.length, 1);
    const { status } = await server.api.get(ValidatingAdmissionPolicy, { name: 'p' });
    const [{ warning } = { warning: '' }] = status?.typeChecking?.expressionWarnings ?? [];
    const kinds = [...warning.matchAll(/Kind=(\w+)/g)].map(([, kind]) => kind);
    assert.equal(kinds.length, 10);
  });
});
