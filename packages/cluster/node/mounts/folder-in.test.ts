// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderIn } from './folder-in.ts';

test('a folder name is valid only directly inside its parent', () => {
  assert.equal(folderIn('/volumes', 'pvc-1'), '/volumes/pvc-1');
  assert.equal(folderIn('/volumes', '..data'), '/volumes/..data');
  for (const name of ['', '.', '..', '../etc', 'a/b', '/etc', 'a\0b']) assert.throws(() => folderIn('/volumes', name));
});
