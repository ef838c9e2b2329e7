// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeZoneProblems } from './time-zone-problems.ts';

test('a time zone needs its exact IANA name', () => {
  const explicit = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
  assert.deepEqual(timeZoneProblems('Etc/UTC'), []);
  assert.deepEqual(timeZoneProblems('Local'), [explicit]);
  assert.deepEqual(timeZoneProblems('local'), [explicit, 'unknown time zone local']);
  for (const name of ['europe/berlin', '../UTC', 'Etc//UTC', '-x/UTC']) {
    assert.deepEqual(timeZoneProblems(name), [`unknown time zone ${name}`]);
  }
});
