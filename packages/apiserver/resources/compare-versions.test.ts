// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareVersions } from './compare-versions.ts';

test('versions are sorted as in the documentation of CustomResourceDefinitions', () => {
  const sorted = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'];
  assert.deepEqual(sorted.toReversed().toSorted(compareVersions), sorted);
});
