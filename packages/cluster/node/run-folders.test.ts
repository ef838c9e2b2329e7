// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runFolders } from './run-folders.ts';

test('a run folder whose path is too long for sockets is rejected with a remedy', () => {
  const longest = `/${'x'.repeat(96)}`;
  assert.equal(runFolders(longest).dialSocket.length, 107);
  assert.throws(() => runFolders(`${longest}y`), /at most 107 bytes.* has 108; choose a shorter folder/);
});
