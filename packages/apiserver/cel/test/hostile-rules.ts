// SPDX-License-Identifier: Apache-2.0
import type { Schema } from '@forge/kube/schema/schema.ts';

/** An object large enough to keep a rule busy for a long time. */
export const object = {
  text: 'a'.repeat(1_000_000),
  blank: `x${' '.repeat(1_000_000)}x`,
  texts: Array.from({ length: 50_000 }, (_, index) => `item${index}`),
  numbers: Array.from({ length: 50_000 }, (_, index) => index),
};

/** A schema of that object with one rule. */
export function schemaOf(rule: string): Schema {
  const text: Schema = { type: 'string' };
  return {
    type: 'object',
    properties: {
      text,
      blank: text,
      texts: { type: 'array', items: text },
      numbers: { type: 'array', items: { type: 'integer' } },
    },
    'x-kubernetes-validations': [{ rule, message: 'm' }],
  };
}

/** A value that grows exponentially. */
function grown(start: string, step: string, times: number): string {
  return `[${start}]${`.map(a, ${step})`.repeat(times)}`;
}

const tree = grown('[1]', '[a, a]', 40);

/** Rules that are aborted at run time. */
export const running: Readonly<Record<string, string>> = {
  'loops in loops': 'self.numbers.all(a, self.numbers.all(b, self.numbers.all(c, a + b + c >= 0)))',
  'loops of failures': 'self.numbers.exists(a, self.numbers.exists(b, a / 0 == b))',
  'a text doubled again and again': `${grown("'aaaaaaaaaa'", 'a + a', 40)}.exists(x, x == '')`,
  'a list doubled again and again': `${grown('[1]', 'a + a', 40)}.exists(x, x == [])`,
  'a deep value compared with another': `${tree}.exists(x, ${tree}.exists(y, x != y))`,
  'deep maps compared': `${grown('{1: 1}', '{1: a, 2: a}', 40)}.exists(x, x != x)`,
  'a deep value printed': `${tree}.exists(x, '%s'.format([x]) == '')`,
  'a deep value searched': `${tree}.exists(x, x.indexOf(x[0]) == 5)`,
  'a deep value flattened': `${tree}.exists(x, dyn(x).flatten(50).size() == 0)`,
  'replacements that grow': `${grown("'ab'", "a.replace('', a)", 30)}.exists(x, x == '')`,
  'a replacement of every character': "self.text.replace('a', self.text) == ''",
  'a text joined from characters': "self.text.split('').join(self.text) == ''",
  'a huge range': 'lists.range(1000000000).size() == 0',
  sorting: 'self.numbers.sort() != self.numbers',
  deduplication: 'self.texts.distinct().size() == 0',
  sets: '!sets.contains(self.texts, self.texts)',
  'regular expressions that backtrack': "self.text.matches('^(a|a)*$') && self.text.matches('(a*)*b')",
  'regular expressions with long counts': "self.text.matches('(a?){900}a{900}$')",
  'regular expressions made from data': "self.texts.all(t, !(t + 'x').matches(t + '(a|b|c|d){200}'))",
  'matches at every place': "self.text.findAll('a').size() == 0",
  'matches at no place': "self.text.findAll('a*b|c').size() > 0",
  'characters of a long text': "self.numbers.all(i, self.text.charAt(i) == 'a')",
  'sizes of a long text': 'self.numbers.all(i, self.text.size() > i)',
  'a long text searched in a longer one': "self.text.indexOf('b' + self.text.substring(500000)) == 0",
  'blanks in the middle': "self.numbers.all(i, self.blank.trim() != '')",
  'time zones': "self.numbers.all(i, timestamp('2026-01-01T00:00:00Z').getHours('Europe/Berlin') == 1)",
  'enormous quantities': "!self.texts.all(t, !isQuantity(t + '1e999999999') && isQuantity('1e99999999'))",
  'optionals in optionals': `optional.of(1)${'.optMap(x, x + 1)'.repeat(60)}.orValue(0) == 0`,
};

/** Rules that are rejected at compile time. */
export const compiling: Readonly<Record<string, string>> = {
  'endless brackets': `${'('.repeat(40_000)}1${')'.repeat(40_000)} == 1`,
  'lists in lists': `${'['.repeat(40_000)}${']'.repeat(40_000)} == []`,
  'a very long sum': `1${' + 1'.repeat(24_000)} == 1`,
  'fields of fields': `self${'.x'.repeat(40_000)}`,
  'conditions of conditions': `${'true ? 1 : '.repeat(8000)}1 == 1`,
  'types that grow': `[{1: 1}]${'.map(a, {a: a})'.repeat(60)}.size() == 1`,
  'an expression that is too long': `'${'a'.repeat(200_000)}' == ''`,
  'a regular expression that is too large': `self.text.matches('${'(a{30}){30}'.repeat(50)}')`,
  'a regular expression of large classes': String.raw`self.text.matches(r'\p{L}{900}')`,
  'endless errors': `[${'x,'.repeat(10_000)}x]`,
};
