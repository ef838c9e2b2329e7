// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatGoDuration, parseGoDuration } from './go-duration.ts';

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

test('a duration is written as Go writes it', () => {
  const written: Record<string, string> = {
    '0': '0s',
    '1ns': '1ns',
    '1500ns': '1.5µs',
    '1010us': '1.01ms',
    '1.5s': '1.5s',
    '60s': '1m0s',
    '90m': '1h30m0s',
    '168h': '168h0m0s',
    '24h1m0.000000001s': '24h1m0.000000001s',
    '-5h': '-5h0m0s',
  };
  for (const [text, shown] of Object.entries(written)) {
    assert.equal(formatGoDuration(parseGoDuration(text) as bigint), shown, text);
  }
});
