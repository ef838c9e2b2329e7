// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verbOf } from './request-info.ts';

test('any watch parameter but 0 and false requests a watch', () => {
  const verbs = ['true', '1', 'yes', '', 'False', '0'].map((watch) => verbOf('GET', false, { watch }));
  assert.deepEqual(verbs, ['watch', 'watch', 'watch', 'watch', 'list', 'list']);
  assert.deepEqual([verbOf('GET', false, {}), verbOf('GET', true, { watch: 'true' })], ['list', 'get']);
});
