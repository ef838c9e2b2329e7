// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { nextTime } from './next-time.ts';
import { parseCron } from './parse-cron.ts';
import { timeZone } from './time-zone.ts';

interface Recorded {
  expression: string;
  zone: string;
  after: string;
  /** Successive times; null when there is none within five years. */
  next: (string | null)[];
  error?: string;
}

// Recorded from github.com/robfig/cron/v3 v3.0.1 (ParseStandard, Next), which Kubernetes uses.
const lines = readFileSync(new URL('recorded/robfig.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const recorded = lines.map((line) => JSON.parse(line) as Recorded);

test('next times equal those of robfig/cron, also when clocks change', () => {
  const rows = recorded.filter(({ error }) => error === undefined);
  assert.ok(rows.length >= 300);
  for (const { expression, zone, after, next } of rows) {
    assert.deepEqual(nextTimes(expression, zone, after, next.length), next, `${expression} in ${zone} after ${after}`);
  }
});

test('expressions are rejected for the same reasons as by robfig/cron', () => {
  const rows = recorded.filter(({ error }) => error !== undefined);
  assert.ok(rows.length >= 50);
  for (const { expression, error } of rows) assert.equal(parseCron(expression).error?.reason, error, expression);
});

function nextTimes(expression: string, zone: string, after: string, count: number): (string | null)[] {
  const { schedule, error } = parseCron(expression);
  if (error !== undefined) throw error;
  const times: (string | null)[] = [];
  let time: number | undefined = Date.parse(after);
  while (times.length < count && time !== undefined) {
    time = nextTime(schedule, time, timeZone(zone));
    times.push(time === undefined ? null : new Date(time).toISOString().replace('.000Z', 'Z'));
  }
  return times;
}
