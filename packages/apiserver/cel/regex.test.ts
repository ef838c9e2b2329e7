// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Meter } from './meter.ts';
import { Regex } from './regex.ts';

function find(pattern: string, text: string): [number, number] | undefined {
  const regex = Regex.compile(pattern);
  assert.ok(regex instanceof Regex);
  return regex.find(text, 0, new Meter(Infinity));
}

/** Patterns in which RE2 and JavaScript mean the same. */
const pattern = fc.letrec<{ all: string }>((tie) => ({
  all: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', '^', '$', String.raw`\b`),
    fc.tuple(tie('all'), tie('all')).map(([left, right]) => left + right),
    fc.tuple(tie('all'), tie('all')).map(([left, right]) => `(?:${left}|${right})`),
    fc.tuple(tie('all'), fc.constantFrom('?', '{2}', '{0,2}')).map(([inside, times]) => `(?:${inside}x)${times}`),
  ),
})).all;

describe('a regular expression', () => {
  test('matches where JavaScript matches, and as much', () => {
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'x', ' '), maxLength: 12 }),
        (source, text) => {
          const found = new RegExp(source).exec(text);
          const expected = found === null ? undefined : [found.index, found.index + found[0].length];
          assert.deepEqual(find(source, text), expected);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('takes characters above the basic plane as one', () => {
    assert.deepEqual(find('^.$', '😀'), [0, 2]);
    assert.deepEqual(find('[😀-😂]x', 'a😁x'), [1, 4]);
  });

  test('speaks the syntax of RE2, and none but that', () => {
    assert.deepEqual(find('(?i)b', 'aB'), [1, 2]);
    assert.deepEqual(find(String.raw`\pL+`, '1é2'), [1, 2]);
    for (const foreign of ['(?=a)', String.raw`(a)\1`, '(', 'a**'])
      assert.ok(!(Regex.compile(foreign) instanceof Regex));
  });
});
