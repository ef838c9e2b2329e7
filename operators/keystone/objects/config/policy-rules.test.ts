// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ConfigMap } from '@forge/kube/kinds/builtin.ts';
import { keystoneFixture } from '../../test/keystone-fixture.ts';
import { policyRules } from './policy-rules.ts';

const withData = (data: Record<string, string>): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'policy' },
  data,
});

const naming = (rules?: Record<string, string>) =>
  keystoneFixture({ policyOverrides: { configMapRef: { name: 'policy' }, ...(rules && { rules }) } });

describe('policy rules', () => {
  test('are none without overrides, and the own rules of the Keystone without a ConfigMap', () => {
    assert.deepEqual(policyRules(keystoneFixture(), undefined), {});
    const rules = { a: '@' };
    assert.deepEqual(policyRules(keystoneFixture({ policyOverrides: { rules } }), undefined), rules);
  });

  test('of the Keystone win over those of the ConfigMap', () => {
    const configMap = withData({ 'policy.yaml': 'a: role:a\nb: role:b\n' });
    assert.deepEqual(policyRules(naming({ b: '!' }), configMap), { a: 'role:a', b: '!' });
  });

  test('of a ConfigMap that is missing, empty or cannot be read are refused, by its name', () => {
    for (const [configMap, error] of [
      [
        undefined,
        'ConfigMap openstack/policy not found: create it, or name another in spec.policyOverrides.configMapRef',
      ],
      [withData({ other: '' }), 'ConfigMap openstack/policy does not contain key "policy.yaml"'],
      [withData({ 'policy.yaml': '' }), 'ConfigMap openstack/policy key "policy.yaml" is empty or parsed to nil'],
      [
        withData({ 'policy.yaml': '- a' }),
        'ConfigMap openstack/policy key "policy.yaml" cannot be parsed: must be a map of rules by name',
      ],
      [
        withData({ 'policy.yaml': Array.from({ length: 20_000 }, (_, n) => `r${n}: "@"`).join('\n') }),
        'ConfigMap openstack/policy key "policy.yaml" cannot be parsed: must not have more than 2000 rules',
      ],
    ] as const) {
      assert.throws(() => policyRules(naming(), configMap), { message: error });
    }
  });
});
