// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seconds } from '../environment/duration.ts';
import { failed, ready, waiting } from '../steps/outcome.ts';
import { conditionCases, eventCases, casesOf } from './cases.ts';
import { catalogCoverage } from './catalog-coverage.ts';

const cases = conditionCases('SecretsReady', {
  storeNotReady: {
    status: 'False',
    reason: 'StoreNotReady',
    message: 'Store "{store}" of {owner}',
    recheck: seconds(15),
  },
  syncing: { status: 'False', reason: 'Syncing', message: 'job is running', recheck: 'computed', suffix: 'optional' },
  available: { status: 'True', reason: 'Available', message: '' },
});

describe('a case of the catalog', () => {
  test('is filled in with values, and carries its condition, status and recheck', () => {
    assert.deepEqual(cases.storeNotReady({ store: 'bao', owner: 'a' }), {
      type: 'SecretsReady',
      status: 'False',
      reason: 'StoreNotReady',
      message: 'Store "bao" of a',
      recheck: seconds(15),
    });
    assert.throws(() => cases.storeNotReady({ store: 'bao' } as never), /is missing a value for \{owner\}/);
  });

  test('gives an outcome its text and its recheck', () => {
    const outcome = waiting(cases.storeNotReady({ store: 'bao', owner: 'a' }));
    assert.deepEqual([outcome.outcome, 'recheck' in outcome && outcome.recheck], ['waiting', seconds(15)]);
    assert.equal(ready(cases.available(), { output: 3 }).output, 3);
    assert.equal(failed(cases.syncing(), new Error('x')).outcome, 'failed');
  });

  test('with a computed recheck requires one where it waits', () => {
    assert.throws(() => waiting(cases.syncing()), /SecretsReady Syncing waits without a recheck/);
    assert.equal(waiting(cases.syncing(), { recheck: seconds(7) }).outcome, 'waiting');
  });

  test('takes a suffix only where it allows one', () => {
    const said = cases.syncing(undefined, 'ImagePullBackOff: no such image');
    assert.deepEqual(
      [said.message, said.baseMessage],
      ['job is running: ImagePullBackOff: no such image', 'job is running'],
    );
    assert.throws(() => cases.available(undefined, 'x'), /the case SecretsReady Available allows no suffix: "x"/);
  });

  test('is cut to 256 characters with its suffix, and never in front of it', () => {
    const { message } = cases.syncing(undefined, `Error: ${'x'.repeat(400)}`);
    assert.match(message, /^job is running: Error: x+…$/);
    assert.equal(message.length, 256);
    const long = 'y'.repeat(300);
    const whole = conditionCases('A', { b: { status: 'False', reason: 'B', message: '{text}', suffix: 'optional' } });
    assert.equal(whole.b({ text: long }, 'Error: x').message, `${long}: …`);
  });

  test('is observed with or without its suffix, and with any recheck or none where that is computed', () => {
    const { observer, differences } = catalogCoverage({ conditions: casesOf([cases]), events: [], ready: 'byStep' });
    const { status, reason, message } = cases.syncing(undefined, 'x');
    const type = 'SecretsReady';
    observer.condition({ type, status, reason, message, recheck: seconds(3) });
    observer.condition({ type, status, reason, message: 'job is running', recheck: seconds(4) });
    assert.ok(differences().every((line) => !line.includes('Syncing')));
    observer.condition({ type, status, reason, message: 'job is running' });
    assert.ok(differences().every((line) => !line.includes('Syncing')));
    observer.condition({ type, status, reason, message: 'job is running', recheck: 'backoff' });
    assert.ok(
      differences().some((line) => line.startsWith('not in the catalog: condition SecretsReady=False Syncing')),
    );
  });
});

test('an Event of the catalog is filled in with values', () => {
  const events = eventCases({ rotated: { type: 'Normal', reason: 'Rotated', message: '{count} keys' } });
  assert.deepEqual(events.rotated({ count: 3 }), { type: 'Normal', reason: 'Rotated', message: '3 keys' });
  assert.deepEqual(casesOf([events]), [{ type: 'Normal', reason: 'Rotated', message: '{count} keys' }]);
});
