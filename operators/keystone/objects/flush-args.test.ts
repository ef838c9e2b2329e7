// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFlushArgs } from './flush-args.ts';

test('dates in either order reach trust_flush day first', () => {
  const { rendered, invalidDates } = readFlushArgs(['--date', '2024-01-31', '--date=29-02-2024', '--project-id', 'p']);
  assert.deepEqual(rendered, ['--date', '31-01-2024', '--date', '29-02-2024', '--project-id', 'p']);
  assert.deepEqual(invalidDates, []);
});

test('a value of --date that is no day is reported with its place', () => {
  const args = ['--date', 'soon', '--date=30-02-2024', '--date=2024-13-01', '--date='];
  assert.deepEqual(readFlushArgs(args).invalidDates, [
    { index: 1, value: 'soon' },
    { index: 2, value: '30-02-2024' },
    { index: 3, value: '2024-13-01' },
    { index: 4, value: '' },
  ]);
  assert.deepEqual(readFlushArgs(['--date']).invalidDates, [{ index: 0, value: '' }]);
});

test('options that trust_flush does not know are left out with their values', () => {
  const { rendered, dropped } = readFlushArgs(['--keystone-user', 'k', '--keystone-group=g', '--trustor-user-id=t']);
  assert.deepEqual(rendered, ['--trustor-user-id=t']);
  assert.deepEqual(dropped, ['--keystone-user', '--keystone-group']);
});
