// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCron } from '@forge/cron/parse-cron.ts';
import fc from 'fast-check';
import { cronPattern } from './schedule.ts';

const pattern = new RegExp(cronPattern, 'u');

/** A field of a cron expression, right or slightly wrong. */
function field(maximum: number, names: readonly string[] = []): fc.Arbitrary<string> {
  const value = fc.oneof(
    fc.integer({ min: 0, max: maximum + 1 }).map(String),
    ...names.map((name) => fc.constant(name)),
  );
  const range = fc.tuple(value, value).map(([from, to]) => `${from}-${to}`);
  const item = fc.oneof(fc.constantFrom('*', '?'), value, range);
  const step = fc.tuple(item, fc.integer({ min: 0, max: maximum })).map(([all, by]) => `${all}/${by}`);
  return fc.array(fc.oneof(item, step), { minLength: 1, maxLength: 3 }).map((items) => items.join(','));
}

const expressions = fc
  .tuple(field(59), field(23), field(31), field(12, ['jan', 'DEC']), field(6, ['Sun', 'sat']))
  .map((fields) => fields.join(' '));

test('the shape that the schema asks for is that of every schedule, and of little else', () => {
  fc.assert(
    fc.property(expressions, (expression) => {
      const { error } = parseCron(expression);
      if (error === undefined) assert.match(expression, pattern);
      // Only a range that ends before it begins matches the pattern although it is invalid.
      else if (pattern.test(expression)) assert.match(error.message, /beyond end of range/);
    }),
    { numRuns: 500 },
  );
});

test('descriptors are known by their names', () => {
  for (const known of [
    '@hourly',
    '@daily',
    '@midnight',
    '@weekly',
    '@monthly',
    '@yearly',
    '@annually',
    '@every 1h30m',
  ]) {
    assert.match(known, pattern);
    assert.equal(parseCron(known).error, undefined);
  }
  for (const unknown of ['', '@often', '@Daily', 'CRON_TZ=UTC 0 0 * * *', '0 0 * *', '0 0 * * * *'])
    assert.doesNotMatch(unknown, pattern);
});
