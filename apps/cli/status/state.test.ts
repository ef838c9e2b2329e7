// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConditionCase } from '@forge/runtime/conditions/condition-catalog.ts';
import { seconds } from '@forge/runtime/environment/duration.ts';
import { ownUnmetState } from './state.ts';

const syncing = {
  type: 'DatabaseReady',
  status: 'False',
  reason: 'Syncing',
  message: '',
  recheck: seconds(10),
} as const;

for (const [what, cases, expected] of [
  ['is waiting when its operator rechecks it', [syncing], 'waiting'],
  ['has failed when only its other status is rechecked', [{ ...syncing, status: 'True' }], 'failed'],
  ['has failed when its operator retries it after an error', [{ ...syncing, recheck: 'backoff' }], 'failed'],
  ['is waiting when its step says when', [{ ...syncing, recheck: 'computed' }], 'waiting'],
  ['has failed when another reason is rechecked', [{ ...syncing, reason: 'Waiting' }], 'failed'],
  ['has failed when another condition is rechecked', [{ ...syncing, type: 'Ready' }], 'failed'],
] as const satisfies readonly (readonly [string, readonly ConditionCase[], string])[]) {
  test(`a condition that is not as desired ${what}`, () => {
    assert.equal(ownUnmetState({ type: 'DatabaseReady', status: 'False', reason: 'Syncing' }, cases), expected);
  });
}
