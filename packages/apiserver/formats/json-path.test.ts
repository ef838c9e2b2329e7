// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonPath } from './json-path.ts';

const object = {
  metadata: { annotations: { 'example.com/a.b': 'dotted' } },
  status: {
    replicas: 0,
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Synced', status: 'False' },
    ],
  },
};

test('a path finds fields, list items and filtered items', () => {
  const cases: [string, unknown[]][] = [
    ['.status.replicas', [0]],
    ['{.status.replicas}', [0]],
    ['status.replicas', [0]],
    ['.status.missing.deep', []],
    ['.status.conditions[1].type', ['Synced']],
    ['.status.conditions[-1].type', ['Synced']],
    ['.status.conditions[7].type', []],
    ['.status.conditions[*].type', ['Ready', 'Synced']],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    [".status.conditions[?(@.type=='Synced')].status", ['False']],
    [".status.conditions[?(@.type != 'Synced')].type", ['Ready']],
    [String.raw`.metadata.annotations.example\.com/a\.b`, ['dotted']],
    [".metadata.annotations['example.com/a.b']", ['dotted']],
  ];
  for (const [path, expected] of cases) assert.deepEqual(jsonPath(path)(object), expected, path);
});

test('an unsupported path is an error', () => {
  for (const path of ['.a[?(', '.a[b]', '.a..b', '.a[?(@.b>1)]'])
    assert.throws(() => jsonPath(path), SyntaxError, path);
});
