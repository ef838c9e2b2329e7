// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllowed } from './acl.ts';

const policies: Readonly<Record<string, string>> = {
  all: 'path "sys/*" { capabilities = ["read", "update"] }',
  raft: 'path "sys/storage/raft/*" { capabilities = ["read"] }',
  snapshot: 'path "sys/storage/raft/snapshot" { capabilities = ["update"] }',
  none: 'path "sys/storage/raft/snapshot" { capabilities = ["deny"] }',
};

const may = (names: readonly string[], path: string, ...wanted: string[]) =>
  isAllowed(names, (name) => policies[name], path, wanted);

test('the most specific rule counts, whatever the others allow, and a denial wins', () => {
  const snapshot = 'sys/storage/raft/snapshot';
  assert.deepEqual(
    [may(['all'], snapshot, 'update'), may(['all', 'raft'], snapshot, 'update'), may(['raft'], snapshot, 'read')],
    [true, false, true],
  );
  assert.deepEqual(
    [may(['raft', 'snapshot'], snapshot, 'read'), may(['raft', 'snapshot'], snapshot, 'update')],
    [false, true],
  );
  assert.equal(may(['snapshot', 'none'], snapshot, 'update'), false);
  assert.deepEqual([may(['all'], 'sys/x', 'update', 'sudo'), may(['root'], 'sys/x', 'update', 'sudo')], [false, true]);
  assert.equal(may(['unknown'], 'sys/x', 'read'), false);
});
