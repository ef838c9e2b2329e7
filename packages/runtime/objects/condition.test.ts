// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conditionOf, isTrue } from './condition.ts';

test('a condition is found by its type, and is True by its status alone', () => {
  const available = { type: 'Available', status: 'True', reason: 'Created' };
  const object = { status: { conditions: [{ ...available, type: 'Ready', status: 'Unknown' }, available] } };
  assert.equal(conditionOf(object, 'Available'), available);
  assert.equal(conditionOf(object, 'Progressing'), undefined);
  assert.deepEqual(
    ['Available', 'Ready', 'Progressing'].map((type) => isTrue(object, type)),
    [true, false, false],
  );
  for (const none of [undefined, {}, { status: {} }]) assert.equal(isTrue(none, 'Ready'), false);
});
