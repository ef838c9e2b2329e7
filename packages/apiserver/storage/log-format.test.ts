// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeLog, encodeHead, encodeRecords, headSize, LogCorrupted } from './log-format.ts';
import type { StorageRecord } from './storage.ts';

function record(revision: number, value?: string): StorageRecord {
  return { revision, key: `things//${revision}`, ...(value !== undefined && { value: Buffer.from(value) }) };
}

/** A log with an initial state, followed by records in groups of two. */
function recordedLog(): { log: Buffer; base: number; ends: number[]; lastGroup: number } {
  const first = encodeRecords([record(1, 'one'), record(2, 'zwei')], 0);
  const base = headSize + first.length;
  const parts = [encodeHead({ revision: 2, base }), first];
  let size = base;
  let lastGroup = base;
  const ends = [base];
  for (let revision = 3; revision <= 10; revision += 2) {
    lastGroup = size;
    for (const each of [record(revision, 'x'.repeat(revision)), record(revision + 1)]) {
      const bytes = encodeRecords([each], lastGroup);
      parts.push(bytes);
      ends.push((size += bytes.length));
    }
  }
  return { log: Buffer.concat(parts), base, ends, lastGroup };
}

test('a log returns what was written', () => {
  const { log } = recordedLog();
  const { revision, records, length } = decodeLog(log);
  assert.deepEqual([revision, length], [2, log.length]);
  assert.deepEqual(
    records.map((each) => [each.revision, each.key, each.value === undefined ? undefined : String(each.value)]),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((at) => [
      at,
      `things//${at}`,
      at === 1 ? 'one' : at === 2 ? 'zwei' : at % 2 === 1 ? 'x'.repeat(at) : undefined,
    ]),
  );
});

test('a log truncated at any byte by a crash loses only the incomplete record', () => {
  const { log, base, ends } = recordedLog();
  for (let length = base; length <= log.length; length += 1) {
    const { records, length: kept } = decodeLog(log.subarray(0, length));
    assert.equal(
      kept,
      ends.findLast((end) => end <= length),
      `cut at byte ${length}`,
    );
    assert.equal(records.length, 2 + ends.filter((end) => end > base && end <= length).length, `cut at byte ${length}`);
  }
});

test('a log with damage in its initial part is rejected: no crash causes that', () => {
  const { log, base } = recordedLog();
  for (let length = 0; length < base; length += 1) {
    assert.throws(() => decodeLog(log.subarray(0, length)), LogCorrupted, `cut at byte ${length}`);
  }
});

test('a damaged byte is detected, or loses only records of the last group', () => {
  const { log, ends, lastGroup } = recordedLog();
  for (let at = 0; at < log.length; at += 1) {
    const damaged = Buffer.from(log);
    damaged[at] = (damaged[at] ?? 0) ^ 0x10;
    if (at >= lastGroup) {
      assert.equal(
        decodeLog(damaged).length,
        ends.findLast((end) => end <= at),
        `damaged at byte ${at}`,
      );
    } else {
      const isRightPlace = ({ offset }: LogCorrupted): boolean => offset <= at && (at < headSize || offset >= headSize);
      assert.throws(
        () => decodeLog(damaged),
        (error: LogCorrupted) => isRightPlace(error),
        `damaged at byte ${at}`,
      );
    }
  }
});

test('a gap in the last group counts as a crash: disks write in any order', () => {
  const { log, lastGroup, ends } = recordedLog();
  const holed = Buffer.from(log).fill(0, lastGroup, ends.at(-2));
  assert.equal(decodeLog(holed).length, lastGroup);
});
