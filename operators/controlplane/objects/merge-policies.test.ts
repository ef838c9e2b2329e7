// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mergePolicies } from './merge-policies.ts';

const base = { rules: { a: 'base', b: 'base' }, configMapRef: { name: 'base' } };
const override = { rules: { b: 'own', c: 'own' }, configMapRef: { name: 'own' } };

describe('the policy of a service', () => {
  test('is a copy of the only one that is set', () => {
    for (const [a, b, only] of [
      [base, undefined, base],
      [undefined, override, override],
    ] as const) {
      const merged = mergePolicies(a, b);
      assert.deepEqual(merged, only);
      assert.ok(merged !== only && merged.rules !== only.rules && merged.configMapRef !== only.configMapRef);
    }
  });

  test('has the rules of both, of which its own win, and its own ConfigMap', () => {
    const before = structuredClone([base, override]);
    assert.deepEqual(mergePolicies(base, override), {
      rules: { a: 'base', b: 'own', c: 'own' },
      configMapRef: { name: 'own' },
    });
    assert.deepEqual([base, override], before);
  });

  test('has the ConfigMap for all services when it names none', () => {
    const merged = mergePolicies(base, { rules: override.rules });
    assert.deepEqual(merged?.configMapRef, { name: 'base' });
    assert.deepEqual(mergePolicies({ configMapRef: { name: 'base' } }, undefined), { configMapRef: { name: 'base' } });
  });

  test('is unset when neither says anything, which Keystone would refuse', () => {
    assert.equal(mergePolicies(undefined, undefined), undefined);
    assert.equal(mergePolicies({}, undefined), undefined);
    assert.equal(mergePolicies({ rules: {} }, { rules: {} }), undefined);
  });
});
