// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ProcessOperations } from './draw-plan.ts';
import { drawnPlans, systematicPlans } from './sweep.ts';

const counts = (write: number, request: number) => ({ write, request, list: 0, watch: 0, event: 0, call: 0 });
const operations: ProcessOperations = new Map([
  ['keystone', counts(2, 3)],
  ['korc', counts(1, 1)],
]);
const startOperations: ProcessOperations = new Map([['keystone', counts(1, 1)]]);
const isOperator = (process: string) => process === 'keystone';

const calls = (call: number): ProcessOperations => new Map([['keystone', { ...counts(0, 0), call }]]);

function refusals(withStart: boolean): string[] {
  const plans = systematicPlans({ operations, startOperations, changingCalls: new Map() }, { isOperator, withStart });
  return plans
    .flatMap(({ faults }) => faults)
    .flatMap((fault) => (fault.fault === 'refuse' ? [`${fault.process} ${fault.at} ${fault.code}`] : []));
}

describe('systematic plans', () => {
  test('inject every fault at every operation', () => {
    assert.deepEqual(
      refusals(true),
      [429, 500].flatMap((code) => [1, 2, 3].map((at) => `keystone ${at} ${code}`)),
    );
  });

  test('delay each event of the operator', () => {
    const events = new Map([['keystone', { ...counts(0, 0), event: 2 }]]);
    const plans = systematicPlans(
      { operations: events, startOperations, changingCalls: new Map() },
      { isOperator, withStart: true },
    );
    assert.deepEqual(
      plans.flatMap(({ faults }) => faults.map(({ fault, at }) => `${fault} ${at}`)),
      ['break 1', 'break 2', 'expire 1', 'expire 2', 'lag 1', 'lag 2'],
    );
  });

  test('crash before an operation only where no other crash leaves the same state', () => {
    const all = new Map([['keystone', { ...counts(3, 0), call: 3 }]]);
    const plans = systematicPlans(
      { operations: all, startOperations, changingCalls: new Map([['keystone', new Set([2])]]) },
      { isOperator, withStart: true },
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
      { isOperator, withStart: true },
    );
    const lost = plans.flatMap(({ faults }) => faults).filter(({ fault }) => fault === 'lost-reply');
    assert.deepEqual(
      lost.map(({ at }) => at),
      [1, 3],
    );
  });

  test('omit the operations before the first user step unless withStart is set', () => {
    assert.deepEqual(
      refusals(false),
      [429, 500].flatMap((code) => [2, 3].map((at) => `keystone ${at} ${code}`)),
    );
  });
});

describe('drawn plans', () => {
  const children = ['a', 'b'].map((name) => ({ key: `secrets/default/${name}`, isAtStart: false }));
  const drawn = () => drawnPlans({ operations, children }, isOperator, { first: 1, count: 200 });

  test('contain a manual change in every other plan, of any child, after any write of the operator', () => {
    const hands = drawn().map(({ faults }) => faults.filter((each) => each.fault === 'hand'));
    assert.deepEqual(
      hands.slice(0, 4).map(({ length }) => length),
      [0, 1, 0, 1],
    );
    const places = new Set(hands.flat().map(({ process, at, on }) => `${process} ${at} ${on}`));
    assert.deepEqual([...places].toSorted(), [
      'keystone 1 secrets/default/a',
      'keystone 1 secrets/default/b',
      'keystone 2 secrets/default/a',
      'keystone 2 secrets/default/b',
    ]);
    assert.equal(new Set(hands.flat().map(({ does }) => does)).size, 5);
  });

  test('are the same again from the same seeds', () => {
    assert.deepEqual(drawn(), drawn());
  });
});
