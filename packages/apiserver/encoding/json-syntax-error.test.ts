// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonSyntaxError } from './json-syntax-error.ts';

test('syntax errors are worded as in Go', () => {
  const errors: Record<string, string> = {
    '': 'unexpected end of JSON input',
    '{"a": "v1", ': 'unexpected end of JSON input',
    nonsense: "invalid character 'o' in literal null (expecting 'u')",
    '\u009e': "invalid character 'Â' looking for beginning of value",
    '{a: 1}': "invalid character 'a' looking for beginning of object key string",
    '{"a" 1}': "invalid character '1' after object key",
    '{"a": 1 "b"}': `invalid character '"' after object key:value pair`,
    '[1 2]': "invalid character '2' after array element",
    '{} {}': "invalid character '{' after top-level value",
    '"\n"': String.raw`invalid character '\n' in string literal`,
    '"\\x"': "invalid character 'x' in string escape code",
    '"\\u00g0"': String.raw`invalid character 'g' in \u hexadecimal character escape`,
    '-a': "invalid character 'a' in numeric literal",
    '1.e': "invalid character 'e' after decimal point in numeric literal",
    '1e+]': "invalid character ']' in exponent of numeric literal",
    "'a'": String.raw`invalid character '\'' looking for beginning of value`,
  };
  for (const [text, error] of Object.entries(errors)) assert.equal(jsonSyntaxError(Buffer.from(text)), error, text);
});

test('a text is an error exactly when JSON.parse rejects it', () => {
  const text = fc.oneof(
    fc.json(),
    fc.string(),
    fc.json().map((json) => json.replace(/[,:\]}]/, '')),
  );
  fc.assert(
    fc.property(text, (sample) => assert.equal(jsonSyntaxError(Buffer.from(sample)) === undefined, parses(sample))),
  );
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
