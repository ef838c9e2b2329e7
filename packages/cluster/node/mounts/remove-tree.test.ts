// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runCommand } from '../../host/run-command.ts';
import { removeTree } from './remove-tree.ts';

describe('removing a folder', () => {
  let parent = '';
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'forge-remove-'));
    await mkdir(join(parent, 'kept'));
    await writeFile(join(parent, 'kept/file'), '');
  });
  after(() => rm(parent, { recursive: true }));

  test('removes its content, but not the targets of links', async () => {
    const folder = join(parent, 'volume');
    await mkdir(join(folder, 'a/b'), { recursive: true });
    await writeFile(join(folder, 'a/b/file'), '');
    await symlink('../../kept', join(folder, 'a/link'));
    await removeTree(folder);
    assert.deepEqual(await readdir(parent), ['kept']);
    assert.deepEqual(await readdir(join(parent, 'kept')), ['file']);
  });

  test('of any depth needs few descriptors', async () => {
    const folder = join(parent, 'deep');
    await mkdir(folder);
    // Deeper than a path can be long.
    const nest = 'for (let i = 0; i < 2100; i++) { fs.mkdirSync("d"); process.chdir("d"); }';
    await runCommand([process.execPath, '-e', nest], { cwd: folder });
    const initial = (await readdir('/proc/self/fd')).length;
    let most = 0;
    const watching = setInterval(() => {
      most = Math.max(most, readdirSync('/proc/self/fd').length);
    }, 1);
    await removeTree(folder);
    clearInterval(watching);
    assert.deepEqual(await readdir(parent), ['kept']);
    assert.ok(most > 0 && most < initial + 60, `${most} descriptors, ${initial} before`);
  });

  test('with many folders and files removes all of them', async () => {
    const folder = join(parent, 'wide');
    await mkdir(folder);
    await runCommand(['sh', '-c', 'cd "$0" && mkdir -p $(seq -f %g/a/b 100) && touch $(seq -f %g/a/file 100)', folder]);
    await removeTree(folder);
    assert.deepEqual(await readdir(parent), ['kept']);
  });

  test('twice at the same time removes it', async () => {
    const folder = join(parent, 'twice');
    await mkdir(folder);
    await runCommand(['sh', '-c', 'cd "$0" && mkdir -p $(seq -f %g/a/b/c 50)', folder]);
    await Promise.all([removeTree(folder), removeTree(folder), removeTree(folder)]);
    assert.deepEqual(await readdir(parent), ['kept']);
  });

  test('that is a link or does not exist removes nothing', async () => {
    await symlink('kept', join(parent, 'link'));
    await assert.rejects(removeTree(join(parent, 'link')), /ENOTDIR|ELOOP/);
    await removeTree(join(parent, 'missing'));
    assert.deepEqual(await readdir(join(parent, 'kept')), ['file']);
  });
});
