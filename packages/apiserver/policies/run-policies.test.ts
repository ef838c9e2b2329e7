// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '@forge/kube/kinds/builtin.ts';
import { testServer } from '../test/test-server.ts';

const group = 'admissionregistration.k8s.io/v1';
const rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE' as const] };

/** A policy that denies every ConfigMap. */
const policy = (name: string): ValidatingAdmissionPolicy => ({
  apiVersion: group,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: {
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: 'false', message: `said by ${name}` }],
  },
});

const binding = (name: string, policyName: string): ValidatingAdmissionPolicyBinding => ({
  apiVersion: group,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name },
  spec: { policyName, validationActions: ['Deny'] },
});

test('the first of several policies denies, by their names and not by those of their bindings', async () => {
  const { api, refused } = await testServer();
  for (const [policyName, bindingName] of [
    ['a-policy', 'z-binding'],
    ['b-policy', 'a-binding'],
  ] as const) {
    await api.create(ValidatingAdmissionPolicy, policy(policyName));
    await api.create(ValidatingAdmissionPolicyBinding, binding(bindingName, policyName));
  }
  const metadata = { name: 'denied' };
  const { message } = await refused('POST', '/api/v1/namespaces/default/configmaps', { metadata });
  assert.equal(
    message,
    "configmaps \"denied\" is forbidden: ValidatingAdmissionPolicy 'a-policy' with binding 'z-binding' denied request: said by a-policy",
  );
});
