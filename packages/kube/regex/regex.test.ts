// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compileRegex } from './compile-regex.ts';
import { Regex } from './regex.ts';
import { WorkBudget } from './work-budget.ts';

function compile(pattern: string): Regex {
  const regex = compileRegex(pattern, new WorkBudget());
  assert.ok(regex instanceof Regex);
  return regex;
}

function find(pattern: string, text: string): [number, number] | undefined {
  return compile(pattern).find(text, 0, new WorkBudget());
}

function matches(pattern: string, text: string): boolean {
  return compile(pattern).test(text, new WorkBudget());
}

/** Patterns that have the same meaning in RE2 and JavaScript. */
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
  test('matches the same text as in JavaScript', () => {
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'x', ' '), maxLength: 12 }),
        (source, text) => {
          const found = new RegExp(source).exec(text);
          const expected = found === null ? undefined : [found.index, found.index + found[0].length];
          assert.deepEqual(find(source, text), expected);
          assert.equal(matches(source, text), found !== null);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('treats characters outside the basic plane as one', () => {
    assert.deepEqual(find('^.$', '😀'), [0, 2]);
    assert.deepEqual(find('[😀-😂]x', 'a😁x'), [1, 4]);
    assert.ok(matches('^.$', '😀'));
    assert.ok(!matches('^..$', '😀'));
  });

  test('accepts only the syntax of RE2', () => {
    assert.deepEqual(find('(?i)b', 'aB'), [1, 2]);
    assert.deepEqual(find(String.raw`\pL+`, '1é2'), [1, 2]);
    for (const foreign of ['(?=a)', String.raw`(a)\1`, '(', 'a**'])
      assert.ok(compileRegex(foreign, new WorkBudget()) instanceof SyntaxError);
  });

  test('is compiled once, however long its pattern is', () => {
    const long = `^(${Array.from({ length: 300 }, (_, index) => `word${index}`).join('|')})$`;
    const budget = new WorkBudget();
    assert.equal(compileRegex(long, budget), compileRegex(long, budget));
  });

  test('supports the classes, anchors and flags of Go', () => {
    assert.ok(matches('^[[:alpha:]]+$', 'abc'));
    assert.ok(!matches('^[[:alpha:]]+$', 'ab1'));
    assert.ok(matches(String.raw`\Aabc\z`, 'abc'));
    assert.ok(!matches(String.raw`\Aabc\z`, 'abc\n'));
    assert.ok(matches('(?m)^b$', 'a\nb\nc'));
    assert.ok(matches(String.raw`\bfoo\b`, 'a foo b'));
    assert.ok(!matches(String.raw`\bfoo\b`, 'a food b'));
  });

  test('does not backtrack', () => {
    assert.ok(!matches('^(a+)+$', `${'a'.repeat(1_000_000)}!`));
    assert.ok(matches('(a|aa)*$', 'a'.repeat(1_000_000)));
  });

  test('counts work in proportion to the length of the text', () => {
    const regex = compile('^a*$');
    const text = 'a'.repeat(100_000);
    let spent = 0;
    const meter = { work: (units: number) => void (spent += units) };
    regex.test(text, meter);
    assert.ok(spent >= 10_000, `${spent} units for a test`);
    spent = 0;
    regex.find(text, 0, meter);
    assert.ok(spent >= 50_000, `${spent} units for a find`);
  });

  test('gives the same results after its state cache was reset', () => {
    const regex = compile('^[ab]*a[ab]{9}$');
    const check = (text: string): void =>
      assert.equal(regex.test(text, new WorkBudget()), /^[ab]*a[ab]{9}$/.test(text), text);
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 8, maxLength: 600 }), check));
  });
});
