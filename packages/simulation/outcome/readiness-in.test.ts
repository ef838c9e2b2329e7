// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConditionCatalog } from '@forge/runtime/conditions/condition-catalog.ts';
import { readinessIn } from './readiness-in.ts';

const catalog: ConditionCatalog = {
  conditions: [
    { type: 'Available', status: 'True', reason: 'All', message: '' },
    { type: 'Degraded', inverse: true, status: 'False', reason: 'Fine', message: '' },
  ],
  events: [],
  ready: 'none',
};

function endOf(...conditions: readonly (readonly [type: string, status: string])[]): string {
  const status = { conditions: conditions.map(([type, value]) => ({ type, status: value, reason: 'Because' })) };
  return readinessIn(new Map([['a', { status }]]), 'a', catalog);
}

test('an object ends gone, ready, or with the conditions that are not as they should be', () => {
  assert.equal(endOf(['Available', 'True'], ['Degraded', 'False']), 'Ready');
  assert.equal(endOf(['Available', 'False'], ['Degraded', 'True']), 'Available Because, Degraded Because');
  assert.equal(endOf(['Available', 'True']), 'Degraded NotReported');
  assert.equal(readinessIn(new Map(), 'a', catalog), 'Ready', 'it did not change');
  assert.equal(readinessIn(new Map([['a', 'gone']]), 'a', catalog), 'gone');
});
