// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCreatedBySandbox } from './compose-root.ts';

test('paths below /dev and /proc are created by the sandbox', () => {
  assert.deepEqual(['/dev', '/dev/shm', '/proc/1', '/device', '/etc/dev'].map(isCreatedBySandbox), [
    true,
    true,
    true,
    false,
    false,
  ]);
});
