// SPDX-License-Identifier: Apache-2.0
// Passes TAP through and counts tests; the last lines name what failed. Fails when nothing ran, a test failed, or a
// test was skipped that .ci/skips.json does not list with a reason: [{ "test": "its name", "reason": "why" }].
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const skips = JSON.parse(readFileSync('.ci/skips.json', 'utf8')) as { test: string; reason: string }[];
const listed = new Set(skips.filter(({ reason }) => reason !== '').map(({ test }) => test));
const totals: Record<string, number> = {};
const unlisted: string[] = [];
const failed: string[] = [];

for await (const line of createInterface({ input: process.stdin })) {
  console.log(line);
  const skipped = /^\s*ok \d+ - (.*?) # (?:SKIP|TODO)\b/.exec(line);
  if (skipped?.[1] !== undefined && !listed.has(skipped[1])) unlisted.push(skipped[1]);
  const failure = /^# (failed: .*)$/.exec(line);
  if (failure?.[1] !== undefined) failed.push(failure[1]);
  const total = /^# (tests|pass|fail|cancelled|skipped|todo) (\d+)$/.exec(line);
  if (total?.[1] !== undefined) totals[total[1]] = Number(total[2]);
}

const { tests = 0, pass = 0, fail = 0, cancelled = 0, skipped = 0, todo = 0 } = totals;
for (const test of unlisted) console.log(`skipped without a listed reason: ${test}`);
for (const test of failed) console.log(test);
console.log(`${pass} passed, ${fail + cancelled} failed, ${skipped + todo} skipped`);
if (tests === 0 || fail + cancelled > 0 || unlisted.length > 0) process.exitCode = 1;
