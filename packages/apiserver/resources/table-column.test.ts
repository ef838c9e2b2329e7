// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { humanDuration } from './table-column.ts';

test('durations have at most two units, fewer the longer they are', () => {
  const second = 1;
  const minute = 60;
  const hour = 3600;
  const day = 24 * hour;
  const cases: [number, string][] = [
    [0, '0s'],
    [-5 * second, '<invalid>'],
    [119 * second, '119s'],
    [2 * minute, '2m'],
    [5 * minute + 3, '5m3s'],
    [10 * minute + 3, '10m'],
    [179 * minute, '179m'],
    [3 * hour, '3h'],
    [3 * hour + 5 * minute, '3h5m'],
    [9 * hour, '9h'],
    [47 * hour, '47h'],
    [2 * day + hour, '2d1h'],
    [9 * day, '9d'],
    [729 * day, '729d'],
    [731 * day, '2y1d'],
    [9 * 365 * day, '9y'],
  ];
  for (const [seconds, expected] of cases) assert.equal(humanDuration(seconds * 1000), expected, `${seconds} s`);
});
