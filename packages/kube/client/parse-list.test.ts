// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseList } from './parse-list.ts';

const fieldsV1 = { 'f:data': { '.': {}, 'f:a"]': {}, 'k:{"port":1}': {} } };

function managed(...managers: string[]): object[] {
  return managers.map((manager) => ({ manager, operation: 'Update', time: 't', fieldsV1 }));
}

function listOf(...items: object[]): string {
  return JSON.stringify({ kind: 'ConfigMapList', metadata: { resourceVersion: '1' }, items });
}

test('managedFields are complete when they contain one of the managers, otherwise empty', () => {
  const data = { text: '"managedFields":[{"manager":"ours"}]' };
  const mine = { metadata: { name: 'mine', managedFields: managed('kubectl', 'ours') }, data };
  const unowned = { metadata: { managedFields: managed('kubectl', 'ours-not'), name: 'unowned' }, data };
  const bare = { metadata: { name: 'bare' } };
  assert.deepEqual(parseList(listOf(mine, unowned, bare), new Set(['ours', 'a+"b'])), {
    kind: 'ConfigMapList',
    metadata: { resourceVersion: '1' },
    items: [mine, { ...unowned, metadata: { name: 'unowned', managedFields: [] } }, bare],
  });
});

test('without managers, no managedFields are read', () => {
  const text = listOf({ metadata: { managedFields: managed('kubectl') } });
  assert.deepEqual(parseList(text, new Set()), JSON.parse(listOf({ metadata: { managedFields: [] } })));
});

test('a field of that name elsewhere in an object is kept', () => {
  for (const own of [managed('kubectl'), [['nested']], [], ['a'], 1]) {
    const text = listOf({ metadata: { name: 'a' }, spec: { template: { metadata: { managedFields: own } } } });
    assert.deepEqual(parseList(text, new Set()), JSON.parse(text));
  }
});

test('a response that is not a list is kept', () => {
  const status = { kind: 'Status', code: 410 };
  assert.deepEqual(parseList(JSON.stringify(status), new Set(['ours'])), status);
});

test('apart from managedFields any list is parsed exactly', () => {
  const objects = fc.array(
    fc.record({ metadata: fc.constant({ managedFields: managed('kubectl') }), data: fc.jsonValue() }),
  );
  fc.assert(
    fc.property(objects, (items) => {
      const lean = items.map((item) => ({ ...item, metadata: { managedFields: [] } }));
      assert.deepEqual(parseList(listOf(...items), new Set(['ours'])), JSON.parse(listOf(...lean)));
    }),
  );
});
