// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isReady, readinessChanged, type WithConditions } from './ready-condition.ts';

const object = (status?: string): WithConditions => ({
  apiVersion: 'example.com/v1',
  kind: 'Store',
  metadata: { name: 'store' },
  ...(status !== undefined && { status: { conditions: [{ type: 'Ready', status }] } }),
});

describe('readiness', () => {
  test('is the Ready condition; an object without it, or none at all, is not ready', () => {
    assert.deepEqual([object('True'), object('False'), object('Unknown'), object(), undefined].map(isReady), [
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  test('changes when the object appears or disappears or its readiness changes, and in no other update', () => {
    assert.equal(readinessChanged({ before: undefined, after: object() }), true);
    assert.equal(readinessChanged({ before: object('True'), after: undefined }), true);
    assert.equal(readinessChanged({ before: object('True'), after: object('False') }), true);
    assert.equal(readinessChanged({ before: object(), after: object('Unknown') }), false);
  });
});
