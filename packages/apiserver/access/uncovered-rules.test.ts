// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyRule } from '@forge/kube/generated/types.ts';
import { uncoveredRules } from './uncovered-rules.ts';

const words = (count: number): string[] => Array.from({ length: count }, (_, index) => `w${index}`);

test('rules are covered in parts, and missing ones are reported once per resource', () => {
  const held: PolicyRule[] = [
    { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] },
    { apiGroups: [''], resources: ['*/scale'], verbs: ['get'] },
  ];
  const wanted = [{ apiGroups: [''], resources: ['pods', 'pods/scale', 'secrets'], verbs: ['get', 'list'] }];
  assert.deepEqual(uncoveredRules(held, wanted), [
    { apiGroups: [''], resources: ['pods/scale'], verbs: ['list'] },
    { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] },
  ]);
});

test('rules with too many combinations are covered as a whole or not at all', () => {
  const many = { apiGroups: words(1000), resources: words(1000), verbs: words(1000) };
  assert.deepEqual(uncoveredRules([{ ...many, verbs: ['w1'] }], [many]), [many]);
  assert.deepEqual(uncoveredRules([{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }], [many]), []);
});
