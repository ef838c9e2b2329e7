// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cron } from 'croner';
import fc from 'fast-check';
import { nextTime } from './next-time.ts';
import { parseCron } from './parse-cron.ts';
import { timeZone } from './time-zone.ts';

/** Fields that croner interprets in the same way; it differs for `?`, `*` with a step and clock changes. */
function commonField(minimum: number, maximum: number): fc.Arbitrary<string> {
  const value = fc.integer({ min: minimum, max: maximum });
  const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  const step = fc.tuple(range, fc.integer({ min: 1, max: maximum })).map(([text, by]) => `${text}/${by}`);
  const list = fc.array(fc.oneof(value.map(String), range, step), { minLength: 1, maxLength: 3 });
  return fc.oneof(
    fc.constant('*'),
    list.map((parts) => parts.join(',')),
  );
}

const expressions = fc
  .tuple(commonField(0, 59), commonField(0, 23), commonField(1, 28), commonField(1, 12), commonField(0, 6))
  .map((fields) => fields.join(' '));
const instants = fc.date({ min: new Date('2000-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });

test('next times equal those of croner for fields that both interpret in the same way', () => {
  fc.assert(
    fc.property(expressions, instants, fc.constantFrom('UTC', 'Asia/Kolkata'), (expression, after, zone) => {
      const expected = new Cron(expression, { timezone: zone }).nextRun(after);
      assert.equal(nextTimeOf(expression, after.getTime(), zone), expected?.toISOString());
    }),
    { numRuns: 300 },
  );
});

test('the search continues after a day that a time zone skips', () => {
  const after = Date.parse('2011-12-28T12:00:00Z');
  assert.equal(nextTimeOf('0 0 31 12 *', after, 'Pacific/Apia'), '2011-12-30T10:00:00.000Z');
});

test('a schedule that never runs is detected at once', () => {
  for (const expression of [', * * * *', '0 0 30 2 *', '0 0 31 4,6,9,11 *']) {
    assert.equal(nextTimeOf(expression, Date.parse('2024-01-01T00:00:00Z'), 'Europe/Berlin'), undefined, expression);
  }
});

function nextTimeOf(expression: string, after: number, zone: string): string | undefined {
  const { schedule, error } = parseCron(expression);
  if (error !== undefined) throw error;
  const next = nextTime(schedule, after, timeZone(zone));
  return next === undefined ? undefined : new Date(next).toISOString();
}
