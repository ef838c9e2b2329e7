// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job } from '@forge/kube/kinds/builtin.ts';
import { hasStartedPods } from './upgrade-phases.ts';

for (const [expected, status] of [
  [false, undefined],
  [false, { active: 1 }],
  [false, { active: 1, ready: 0, terminating: 0 }],
  [true, { active: 1, ready: 1 }],
  [true, { succeeded: 1 }],
  [true, { failed: 1 }],
  [true, { terminating: 1 }],
  [true, { conditions: [{ type: 'Failed', status: 'True' }] }],
  [false, { conditions: [{ type: 'Suspended', status: 'False' }] }],
] as const) {
  test(`a Job with status ${JSON.stringify(status)} has ${expected ? '' : 'no '}pods that started`, () => {
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'expand' }, status };
    assert.equal(hasStartedPods(job as unknown as Job), expected);
  });
}
