// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { everyPlan } from './every-plan.ts';
import type { FaultKind, OperationCounts } from './fault-plan.ts';

const counts = (write: number): OperationCounts => ({ write, request: 9, watch: 0, list: 0, event: 0, call: 0 });

describe('the plans with one fault', () => {
  const operations = new Map([
    ['operator', counts(3)],
    ['other', counts(1)],
  ]);
  const places = (...options: [isMeant?: (process: string) => boolean, after?: typeof operations]) =>
    everyPlan({ fault: 'crash', when: 'after' }, operations, ...options).map(
      ({ seed, faults: [fault] }) => `${seed} ${fault?.process} ${fault?.at}`,
    );

  test('inject it at every operation', () => {
    assert.deepEqual(places(), ['1 operator 1', '2 operator 2', '3 operator 3', '1 other 1']);
    assert.deepEqual(
      places((process) => process === 'other'),
      ['1 other 1'],
    );
  });

  test('order operations like the baseline run where the fault is that of one call', () => {
    const calls = new Map([['operator', { ...counts(0), call: 2 }]]);
    const seeds = (fault: FaultKind) => everyPlan(fault, calls).map(({ seed }) => seed);
    assert.deepEqual(seeds({ fault: 'crash-at-call', when: 'after' }), [0, 0]);
    assert.deepEqual(seeds({ fault: 'lost-reply' }), [0, 0]);
    assert.deepEqual(seeds({ fault: 'outage', calls: 3 }), [1, 2]);
  });

  test('omit the operations of the start', () => {
    assert.deepEqual(places(undefined, new Map([['operator', counts(2)]])), ['3 operator 3', '1 other 1']);
  });
});
