// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rotationSchedule } from './rotation-schedule.ts';

describe('the schedule of key rotations', () => {
  test('is weekly for a week, however that is written', () => {
    for (const week of ['168h', '168h0m0s', '10080m']) assert.equal(rotationSchedule(week), '0 0 * * 0');
  });

  test('is daily for every other whole number of days', () => {
    for (const days of ['24h', '48h', '72h', '336h', '1440m']) assert.equal(rotationSchedule(days), '0 0 * * *');
  });

  for (const [interval, shown] of [
    ['0s', '0s'],
    ['-24h', '-24h0m0s'],
    ['5h', '5h0m0s'],
    ['36h', '36h0m0s'],
    ['24h1m', '24h1m0s'],
  ] as const) {
    test(`does not exist for ${interval}`, () => {
      const message = `unsupported rotation interval "${shown}": must be 168h (weekly) or a positive multiple of 24h (daily)`;
      assert.throws(() => rotationSchedule(interval), { message });
    });
  }

  test('does not exist for what is no duration of Go', () => {
    assert.throws(() => rotationSchedule('7d'), { message: 'time: unknown unit "d" in duration "7d"' });
  });
});
