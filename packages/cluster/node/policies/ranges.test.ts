// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { merged, without, type Range } from './ranges.ts';

const range = fc.tuple(fc.nat(30), fc.nat(10)).map(([from, length]): Range => ({ from, to: from + length }));
const numbersOf = (ranges: readonly Range[]) =>
  Array.from({ length: 60 }, (_, number) => number).filter((number) =>
    ranges.some(({ from, to }) => from <= number && number <= to),
  );

describe('ranges', () => {
  test('are merged without losing or adding a number', () => {
    fc.assert(
      fc.property(fc.array(range), (ranges) => {
        const result = merged(ranges);
        assert.deepEqual(numbersOf(result), numbersOf(ranges));
        assert.ok(result.every(({ from }, index) => index === 0 || from > (result[index - 1]?.to ?? 0) + 1));
      }),
    );
  });

  test('without others have exactly the numbers that the others do not have', () => {
    fc.assert(
      fc.property(range, fc.array(range), (whole, others) => {
        const excluded = new Set(numbersOf(others));
        assert.deepEqual(
          numbersOf(without(whole, others)),
          numbersOf([whole]).filter((number) => !excluded.has(number)),
        );
      }),
    );
  });
});
