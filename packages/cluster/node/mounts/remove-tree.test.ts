// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { removeTree } from './remove-tree.ts';

describe('removing a folder', () => {
  let parent = '';
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'forge-remove-'));
    await mkdir(join(parent, 'kept'));
    await writeFile(join(parent, 'kept/file'), '');
  });
  after(() => rm(parent, { recursive: true }));

  test('removes its content, but no link targets', async () => {
    const folder = join(parent, 'volume');
    await mkdir(join(folder, 'a/b'), { recursive: true });
    await writeFile(join(folder, 'a/b/file'), '');
    await symlink('../../kept', join(folder, 'a/link'));
    await removeTree(folder);
    assert.deepEqual(await readdir(parent), ['kept']);
    assert.deepEqual(await readdir(join(parent, 'kept')), ['file']);
  });

  test('that is a link or does not exist removes nothing', async () => {
    await symlink('kept', join(parent, 'link'));
    await assert.rejects(removeTree(join(parent, 'link')), /ENOTDIR|ELOOP/);
    await removeTree(join(parent, 'missing'));
    assert.deepEqual(await readdir(join(parent, 'kept')), ['file']);
  });
});
