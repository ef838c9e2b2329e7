// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rootProblems } from './roots.ts';

test('at the root of an operator, only what assembles its rooms is allowed', () => {
  const allowed = [
    'operator.ts',
    'operator.test.ts',
    'register.ts',
    'keystone-operator.mjs',
    'package.json',
    'README.md',
  ];
  const refused = ['loose.ts', 'loose.test.ts', 'loose.mjs', 'operator.md', 'tsconfig.json'];
  assert.deepEqual(
    rootProblems([...allowed, ...refused].map((name) => `operators/keystone/${name}`)),
    refused.map((name) => `operators/keystone/${name} must not be at the root of an operator: move it to a room`),
  );
});
