// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expand } from './expand.ts';

test('variables are expanded as in Kubernetes', () => {
  const variables = { A: 'one', B_2: '$(A)', EMPTY: '' };
  const cases: [string, string][] = [
    ['$(A)-$(A)', 'one-one'],
    ['$(B_2)', '$(A)'],
    ['[$(EMPTY)]', '[]'],
    ['$(UNKNOWN)', '$(UNKNOWN)'],
    ['$(constructor)', '$(constructor)'],
    ['$(__proto__)', '$(__proto__)'],
    ['$$(A)', '$(A)'],
    ['$$$(A)', '$one'],
    ['$A ${A} $', '$A ${A} $'],
    ['$(A', '$(A'],
  ];
  for (const [text, expected] of cases) assert.equal(expand(text, variables), expected, text);
});
