// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConditionRow } from '@forge/runtime/contract/contract.ts';
import { seconds } from '@forge/runtime/time/duration.ts';
import { ownUnmetState } from './state.ts';

const row = { type: 'DatabaseReady', status: 'False', reason: 'Syncing', message: '', recheck: seconds(10) } as const;

for (const [what, rows, expected] of [
  ['waits when its operator looks again', [row], 'waiting'],
  ['is broken when only its other state is looked at again', [{ ...row, status: 'True' }], 'failed'],
  ['is broken when its operator looks again after an error', [{ ...row, recheck: 'backoff' }], 'failed'],
  ['is broken when another reason is looked at again', [{ ...row, reason: 'Waiting' }], 'failed'],
  ['is broken when another condition is looked at again', [{ ...row, type: 'Ready' }], 'failed'],
] as const satisfies readonly (readonly [string, readonly ConditionRow[], string])[]) {
  test(`a condition that is not as desired ${what}`, () => {
    assert.equal(ownUnmetState({ type: 'DatabaseReady', status: 'False', reason: 'Syncing' }, rows), expected);
  });
}
