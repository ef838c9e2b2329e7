// SPDX-License-Identifier: Apache-2.0
import { testCase, type ConformanceCase } from '../../conversation/conformance-case.ts';
import { defineValues, definitions, valueDefinition } from '../../objects/define-values.ts';

/** Creates a value with each of these texts in a field with the pattern. */
function matched(name: string, pattern: string, values: readonly string[]): ConformanceCase {
  return testCase(name, async (api) => {
    const spec = { type: 'object', properties: { value: { type: 'string', pattern } } };
    const { path, value } = await defineValues(api, { spec });
    for (const [index, text] of values.entries()) await api.post(path, value(`v${index}`, { value: text }));
  });
}

/** Tries to create a definition with each of these patterns. */
function refused(name: string, patterns: readonly string[]): ConformanceCase {
  return testCase(name, async (api) => {
    for (const pattern of patterns) {
      await api.post(definitions, valueDefinition(api, { spec: { type: 'string', pattern } }), { dryRun: 'All' });
    }
  });
}

/** Regular expressions in schemas. */
export const patterns: readonly ConformanceCase[] = [
  matched('a pattern that would backtrack is matched at once', '^(a+)+$', [`${'a'.repeat(34)}!`, 'aaa']),
  matched('a pattern has classes by name', '^[[:alpha:]]+$', ['abc', 'ab1', 'é']),
  matched('a pattern has anchors of the whole text', String.raw`\Aab\z`, ['ab', 'ab\n', 'xab']),
  matched('a pattern can ignore case', '(?i)^abc$', ['ABC', 'aBd', 'ſ']),
  matched('a pattern can match lines', '(?m)^b$', ['a\nb\nc', 'ab']),
  matched('a pattern has classes of Unicode', String.raw`^\p{Greek}\pL*$`, ['αβ', 'ab', 'αb']),
  matched('a dot is one character, but no line end', '^.$', ['🙂', 'ab', '\n']),
  matched('a pattern has boundaries of words', String.raw`\bfoo\b`, ['a foo', 'food', 'fooé']),
  matched('a pattern matches anywhere unless it has anchors', 'b{2}', ['abba', 'aba']),
  refused('what regular expressions elsewhere have, patterns have not', [
    '(?=a)',
    '(?!a)',
    '(?<=a)',
    String.raw`(a)\1`,
    String.raw`\Z`,
    String.raw`\cA`,
    'a++',
    '(?>a)',
  ]),
  refused('a pattern that is none is refused with the reason', [
    '(',
    'a)',
    '*',
    '[z-a]',
    '[a',
    'a{1001}',
    '[[:foo:]]',
    String.raw`\pX`,
    '(?P<n',
    'a**',
  ]),
  testCase('a pattern among alternatives is looked at too', async (api) => {
    const spec = { type: 'string', anyOf: [{ pattern: '(' }], not: { pattern: '(?=a)' } };
    await api.post(definitions, valueDefinition(api, { spec }), { dryRun: 'All' });
  }),
];
