// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseGoDuration } from './go-duration.ts';

test('a duration is read as Go reads it', () => {
  const read: Record<string, bigint | string> = {
    '1h30m': 5_400_000_000_000n,
    '-1.5s': -1_500_000_000n,
    '.5µs': 500n,
    '0': 0n,
    '1': 'time: missing unit in duration "1"',
    '1d': 'time: unknown unit "d" in duration "1d"',
    '"é"': 'time: invalid duration "\\"\\xc3\\xa9\\""',
    '9999999h': 'time: invalid duration "9999999h"',
    '': 'time: invalid duration ""',
  };
  for (const [text, value] of Object.entries(read)) assert.equal(parseGoDuration(text), value, text);
});
