// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ProcessOperations } from './draw-plan.ts';
import { systematicPlans } from './sweep.ts';

const counts = (write: number, request: number) => ({ write, request, list: 0, watch: 0, event: 0, call: 0 });
const operations: ProcessOperations = new Map([
  ['keystone', counts(2, 3)],
  ['korc', counts(1, 1)],
]);
const startOperations: ProcessOperations = new Map([['keystone', counts(1, 1)]]);
const isOperator = (process: string) => process === 'keystone';

const calls = (call: number): ProcessOperations => new Map([['keystone', { ...counts(0, 0), call }]]);

/** The calls at which outages start, of nine, the first two of which are before the first user step. */
function outages(thorough: boolean): number[] {
  const plans = systematicPlans(
    { operations: calls(9), startOperations: calls(2), changingCalls: new Map() },
    { isOperator, withStart: false, thorough },
  );
  return plans.flatMap(({ faults }) => faults.flatMap(({ fault, at }) => (fault === 'outage' ? [at] : [])));
}

function refusals(options: { withStart: boolean; thorough: boolean }): string[] {
  const plans = systematicPlans({ operations, startOperations, changingCalls: new Map() }, { isOperator, ...options });
  return plans
    .flatMap(({ faults }) => faults)
    .flatMap((fault) => (fault.fault === 'refuse' ? [`${fault.process} ${fault.at} ${fault.code}`] : []));
}

describe('systematic plans', () => {
  test('inject every fault at every operation when they are thorough', () => {
    const codes = [409, 429, 500];
    assert.deepEqual(
      refusals({ withStart: true, thorough: true }),
      codes.flatMap((code) => [1, 2, 3].map((at) => `keystone ${at} ${code}`)),
    );
  });

  test('inject similar faults in turns otherwise, one at every operation', () => {
    assert.deepEqual(refusals({ withStart: true, thorough: false }), [
      'keystone 1 409',
      'keystone 2 429',
      'keystone 3 500',
    ]);
  });

  test('hold back events of the operator', () => {
    const events = new Map([['keystone', { ...counts(0, 0), event: 4 }]]);
    const plans = systematicPlans(
      { operations: events, startOperations, changingCalls: new Map() },
      { isOperator, withStart: true, thorough: false },
    );
    assert.deepEqual(
      plans.flatMap(({ faults }) => faults.map(({ fault }) => fault)),
      ['break', 'expire', 'lag', 'hold'],
    );
  });

  test('fail each call once, by outages of three calls, unless they are thorough', () => {
    assert.deepEqual(outages(false), [3, 6, 9]);
    assert.deepEqual(outages(true), [3, 4, 5, 6, 7, 8, 9]);
  });

  test('crash before an operation only where no other crash leaves the same state', () => {
    const all = new Map([['keystone', { ...counts(3, 0), call: 3 }]]);
    const plans = systematicPlans(
      { operations: all, startOperations, changingCalls: new Map([['keystone', new Set([2])]]) },
      { isOperator, withStart: true, thorough: true },
    );
    const faults = plans.flatMap((plan) => plan.faults);
    const crashes = (fault: 'crash' | 'crash-at-call') =>
      faults.flatMap((each) => (each.fault === fault ? [`${each.when} ${each.at}`] : []));
    assert.deepEqual(crashes('crash'), ['before 1', 'after 1', 'after 2', 'after 3']);
    assert.deepEqual(crashes('crash-at-call'), ['before 1', 'after 2']);
  });

  test('lose the replies of calls that can change something; the others fail in outages', () => {
    const plans = systematicPlans(
      {
        operations: calls(3),
        startOperations,
        // What another process changes does not count.
        changingCalls: new Map([
          ['keystone', new Set([1, 3])],
          ['korc', new Set([2])],
        ]),
      },
      { isOperator, withStart: true, thorough: false },
    );
    const lost = plans.flatMap(({ faults }) => faults).filter(({ fault }) => fault === 'lost-reply');
    assert.deepEqual(
      lost.map(({ at }) => at),
      [1, 3],
    );
  });

  test('omit the operations before the first user step unless withStart is set', () => {
    assert.deepEqual(refusals({ withStart: false, thorough: false }), ['keystone 2 409', 'keystone 3 429']);
  });
});
