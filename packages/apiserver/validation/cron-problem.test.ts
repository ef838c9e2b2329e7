// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cronProblem, timeZoneProblem } from './cron-problem.ts';

test('schedules that can be read have no problem', () => {
  for (const schedule of [
    '0 0 1 1 0',
    '  */5  *  * * * ',
    '0,30 8-18/2 ? jan-DEC mon-fri',
    '5/10 * * * *',
    '@midnight',
    '@every 1h30m',
    'CRON_TZ=Europe/Berlin 0 6 * * *',
  ]) {
    assert.equal(cronProblem(schedule), undefined, schedule);
  }
});

test('the first thing that is wrong with a schedule is told', () => {
  const problems: Record<string, string> = {
    '0 24 * * *': 'end of range (24) above maximum (23): 24',
    '0 0 * 0 *': 'beginning of range (0) below minimum (1): 0',
    '0 0 * * sun-x': 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax',
    '*/x * * * *': 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax',
    '@every soon': 'failed to parse duration @every soon: time: invalid duration "soon"',
    'TZ=Mars 0 * * * *': 'provided bad location Mars: unknown time zone Mars',
    '': 'expected exactly 5 fields, found 1: []',
  };
  for (const [schedule, problem] of Object.entries(problems)) assert.equal(cronProblem(schedule), problem);
});

test('a time zone has the name of a place', () => {
  assert.equal(timeZoneProblem('Etc/UTC'), undefined);
  assert.match(timeZoneProblem('local') ?? '', /explicit time zone/);
});
