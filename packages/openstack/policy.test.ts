// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parsePolicy, renderPolicy } from './policy.ts';

const many = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n');

describe('policy.yaml', () => {
  test('is rendered in the order of names, independent of the order of the rules', () => {
    const rules = { 'identity:list_users': 'role:admin', 'identity:get_user': '@', a: '!' };
    assert.equal(renderPolicy(rules), 'a: "!"\nidentity:get_user: "@"\nidentity:list_users: role:admin\n');
    assert.equal(renderPolicy(Object.fromEntries(Object.entries(rules).toReversed())), renderPolicy(rules));
  });

  test('is parsed as it was rendered, and quotes what YAML 1.1 would not parse as a string', () => {
    const rules = { x: 'no', y: '', z: '1:30', on: "it's: #1\nand more", 'a b': 'role:admin or (not @)' };
    assert.deepEqual(parsePolicy(renderPolicy(rules)), rules);
    const text = renderPolicy(rules);
    for (const line of ['x: "no"', 'z: "1:30"', '"on":']) assert.ok(text.includes(line), `${line} in\n${text}`);
  });

  test('holds no rules when it is empty', () => {
    for (const text of ['', '# nothing\n', '{}', 'null']) assert.equal(parsePolicy(text), undefined);
  });

  test('is refused before it is parsed when it is too large, too long or nested too deep', () => {
    assert.equal(Object.keys(parsePolicy(many(2000, (n) => `r${n}: "@"`)) ?? {}).length, 2000);
    for (const [text, error] of [
      [many(20_000, (n) => `r${n}: "@"`), /^must not have more than 2000 rules$/],
      [`{${many(20_000, (n) => `r${n}: "@",`)}}`, /^must not have more than 2000 rules$/],
      [`a: "${'x'.repeat(300 * 1024)}"`, /^must not be larger than 256 KiB$/],
      [`a: "${'ä'.repeat(150 * 1024)}"`, /^must not be larger than 256 KiB$/],
      [`a: ${'['.repeat(100_000)}`, /^must not be nested more than 8 deep$/],
      [`a: ${'{b: '.repeat(1000)}`, /^must not be nested more than 8 deep$/],
      ['- '.repeat(100_000), /^must not be nested more than 8 deep$/],
      ['? '.repeat(100_000), /^must not be nested more than 8 deep$/],
      [`a: &a x\n${many(1000, (n) => `b${n}: *a`)}`, /^must not have more than 100 aliases$/],
    ] as const) {
      const began = performance.now();
      assert.throws(() => parsePolicy(text), { message: error }, text.slice(0, 20));
      assert.ok(performance.now() - began < 5000, text.slice(0, 20));
    }
  });

  test('is refused after little work whatever it consists of', () => {
    const tooMany = /^must not have more than (40000 tokens|20000 tokens that are no comments)$/;
    for (const text of ['- a\n', '? a\n', '!t ', '&a ', '}', '"', '\n', '# c\n', '%a b\n', '[]']) {
      const began = process.cpuUsage();
      assert.throws(() => parsePolicy(text.repeat(250_000 / text.length)), { message: tooMany }, text);
      assert.ok(process.cpuUsage(began).user < 250_000, text);
    }
  });

  test('takes little work also where it is within all limits', () => {
    for (const [text, rules] of [
      [many(2000, (n) => `# What r${n} is for.\n#\n# GET /v3/r${n}\n"r${n}": "role:admin"\n`), 2000],
      [many(2000, (n) => `${'#\n'.repeat(7)}"r${n}": "@"`), 2000],
      [`{${many(2000, (n) => `"r${n}": "@",`)}}`, 2000],
      [many(2000, (n) => `!!str &a${n} r${n}: !!str &b${n} "@"`), 2000],
      [`${many(1900, (n) => `r${n}: &a${n} "@"`)}\n${many(90, (n) => `s${n}: *a1899`)}`, 1990],
      [many(2000, (n) => `"${'k'.repeat(110)}${n}": "@"`), 2000],
      [`a: "@"${'\n'.repeat(39_000)}b: "@"`, 2],
      [`a: |\n${' @\n'.repeat(80_000)}`, 1],
      [`a: "${String.raw`\u0040`.repeat(40_000)}"`, 1],
    ] as const) {
      const began = process.cpuUsage();
      assert.equal(Object.keys(parsePolicy(text) ?? {}).length, rules, text.slice(0, 20));
      assert.ok(process.cpuUsage(began).user < 250_000, text.slice(0, 20));
    }
    // The parser finds an error in each token.
    for (const unit of ['}', '[]', '"']) {
      for (const head of ['', 'a: [']) {
        const began = process.cpuUsage();
        const text = head + unit.repeat(19_800 / unit.length);
        assert.throws(() => parsePolicy(text), { name: 'YAMLParseError' }, head + unit);
        assert.ok(process.cpuUsage(began).user < 250_000, head + unit);
      }
    }
  });

  test('is refused when it is not a map of strings', () => {
    for (const [text, error] of [
      ['- a', /must be a map of rules/],
      ['a: true', /rule "a" must be a text: quote it/],
      ['a: {b: c}', /rule "a" must be a text/],
      ['1: a', /the name 1 of a rule must be a text/],
      ['a: b\na: c', /unique/],
      ['a: [', /flow/i],
    ] as const) {
      assert.throws(() => parsePolicy(text), error, text);
    }
  });
});
