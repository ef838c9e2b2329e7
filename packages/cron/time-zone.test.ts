// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantOf, timeZone } from './time-zone.ts';

test('the offset of a zone changes at the exact second', () => {
  const berlin = timeZone('Europe/Berlin');
  const change = Date.parse('2026-03-29T01:00:00Z');
  assert.equal(berlin?.offsetAt(change - 1), 3_600_000);
  assert.equal(berlin.offsetAt(change), 7_200_000);
  assert.equal(timeZone('Australia/Lord_Howe')?.offsetAt(change), 39_600_000);
});

test('a zone is found by its exact name only', () => {
  assert.equal(timeZone('Asia/Calcutta')?.name, 'Asia/Calcutta');
  for (const name of ['Mars/North', 'europe/berlin', '+01:00', '', '../UTC']) assert.equal(timeZone(name), undefined);
});

test('a wall clock time that is skipped or repeated has one instant', () => {
  const zone = timeZone('Europe/Berlin') ?? assert.fail();
  const skipped = instantOf(zone, Date.parse('2026-03-29T02:30:00Z'));
  assert.equal(new Date(skipped).toISOString(), '2026-03-29T01:30:00.000Z');
  const twice = instantOf(zone, Date.parse('2026-10-25T02:30:00Z'));
  assert.equal(new Date(twice).toISOString(), '2026-10-25T01:30:00.000Z');
});
