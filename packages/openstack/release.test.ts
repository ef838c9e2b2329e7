// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareReleases, isNextRelease, parseRelease } from './release.ts';

describe('release tags', () => {
  for (const [tag, release] of [
    ['2025.1', { year: 2025, minor: 1 }],
    ['2025.2-p1', { year: 2025, minor: 2, patch: 'p1' }],
    ['2026.1-rc-2', { year: 2026, minor: 1, patch: 'rc-2' }],
  ] as const) {
    test(`${tag} is parsed`, () => assert.deepEqual(parseRelease(tag), release));
  }

  for (const [tag, reason] of [
    ['', 'empty release tag'],
    ['latest', 'invalid release format "latest": expected YYYY.N'],
    ['2025.2.3', 'invalid release format "2025.2.3": expected YYYY.N'],
    ['v2025.2', 'invalid release year in "v2025.2": "v2025" is not a whole number'],
    ['28.0', 'invalid release year 28 in "28.0": must be >= 2010'],
    ['2025.x', 'invalid release minor version in "2025.x": "x" is not a whole number'],
    ['2025.3', 'invalid release minor version 3 in "2025.3": must be 1 or 2'],
  ] as const) {
    test(`${JSON.stringify(tag)} is refused`, () => assert.throws(() => parseRelease(tag), { message: reason }));
  }
});

describe('the order of releases', () => {
  for (const [a, b, order, isNext] of [
    ['2025.1', '2025.1-p2', 0, false],
    ['2025.1', '2025.2', -1, true],
    ['2025.2', '2026.1-rc-2', -1, true],
    ['2025.1', '2026.1', -1, false],
    ['2024.2', '2026.1', -1, false],
    ['2026.1', '2027.2', -1, false],
    ['2026.1', '2025.2', 1, false],
  ] as const) {
    test(`of ${a} and ${b}`, () => {
      assert.equal(Math.sign(compareReleases(parseRelease(a), parseRelease(b))), order);
      assert.equal(isNextRelease(parseRelease(a), parseRelease(b)), isNext);
    });
  }
});

test('no release is older than OpenStack, and the second release of a year is followed by the first of the next', () => {
  assert.throws(() => parseRelease('2009.1'), /must be >= 2010/);
  assert.equal(parseRelease('2010.1').year, 2010);
  assert.equal(isNextRelease({ year: 2025, minor: 2 }, { year: 2026, minor: 1 }), true);
  assert.equal(isNextRelease({ year: 2025, minor: 2 }, { year: 2026, minor: 2 }), false);
});
