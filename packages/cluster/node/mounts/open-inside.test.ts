// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openInside, PathEscapes, pathOf, type WalkOptions } from './open-inside.ts';

describe('a path inside a folder', () => {
  let parent = '';
  let folder = '';
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'forge-inside-'));
    folder = join(parent, 'volume');
    await mkdir(join(folder, 'a/b'), { recursive: true });
    await writeFile(join(folder, 'a/b/file'), '');
    await writeFile(join(parent, 'secret'), '');
    const links = {
      root: '/',
      'a/up': '..',
      out: '../secret',
      'a/chain': '../a/up/out',
      data: 'a/b',
      absolute: '/a/b/file',
      loop: 'loop',
      nowhere: `${parent}/made`,
    };
    for (const [name, target] of Object.entries(links)) await symlink(target, join(folder, name));
  });
  after(() => rm(parent, { recursive: true }));

  /** What the path resolves to, relative to the folder. */
  async function follow(path: string, options: WalkOptions): Promise<string> {
    await using handle = await openInside(folder, path, options);
    return (await readlink(pathOf(handle))).slice(folder.length);
  }
  const beneath = (path: string) => follow(path, { outside: 'escapes' });
  const rooted = (path: string) => follow(path, { outside: 'root' });

  test('resolves inside the folder, also through links', async () => {
    assert.equal(await beneath(''), '');
    assert.equal(await beneath('a//./b/file'), '/a/b/file');
    assert.equal(await beneath('a/up/data/file'), '/a/b/file');
    assert.equal(await beneath('a/../data'), '/a/b');
  });

  test('is rejected when it leaves the folder, however it is written', async () => {
    const ways = ['..', '/', '/a', 'a/../..', 'root', 'root/etc', 'out', 'a/chain', 'a/up/..', 'absolute', 'nowhere'];
    for (const path of ways) await assert.rejects(beneath(path), PathEscapes, path);
    const made = follow('nowhere/folder', { outside: 'escapes', make: 'folder' });
    await assert.rejects(made, PathEscapes);
    assert.deepEqual((await readdir(parent)).toSorted(), ['secret', 'volume']);
  });

  test('restarts at the folder when that acts as the root', async () => {
    assert.equal(await rooted('/absolute'), '/a/b/file');
    assert.equal(await rooted('root/a/up/root/../../a'), '/a');
    await assert.rejects(rooted('out'), { code: 'ENOENT' });
  });

  test('is created when missing, if requested', async () => {
    await assert.rejects(beneath('new'), { code: 'ENOENT' });
    assert.equal(await follow('data/new/file', { outside: 'escapes', make: 'file' }), '/a/b/new/file');
    assert.equal(await follow('data/new/folder', { outside: 'escapes', make: 'folder' }), '/a/b/new/folder');
    assert.deepEqual((await readdir(join(folder, 'a/b/new'))).toSorted(), ['file', 'folder']);
  });

  test('with a link loop is an error', async () => {
    await assert.rejects(beneath('loop'), /too many links/);
  });

  test('refers to what was opened, even if its name is reused', async () => {
    await mkdir(join(folder, 'swapped'));
    await using handle = await openInside(folder, 'swapped', { outside: 'escapes' });
    await rename(join(folder, 'swapped'), join(folder, 'moved'));
    await symlink('/', join(folder, 'swapped'));
    await writeFile(`${pathOf(handle)}/file`, '');
    assert.deepEqual(await readdir(join(folder, 'moved')), ['file']);
  });

  test('never leaves the folder while names are swapped', async () => {
    const done = new AbortController();
    const exchange = async () => {
      while (!done.signal.aborted) {
        await mkdir(join(folder, 'x'));
        await rename(join(folder, 'x'), join(folder, 'y'));
        await symlink(parent, join(folder, 'x'));
        await rm(join(folder, 'x'));
        await rm(join(folder, 'y'), { recursive: true });
      }
    };
    const exchanging = exchange();
    let found = 0;
    // On a busy machine, the first attempts may all fall between two names.
    for (let tries = 0; tries < 500 || (found === 0 && tries < 50_000); tries++) {
      const place = await beneath('x').catch((error: NodeJS.ErrnoException) => {
        if (!(error instanceof PathEscapes) && error.code !== 'ENOENT') throw error;
      });
      if (place === undefined) continue;
      found++;
      assert.match(place, /^\/[xy]/);
    }
    done.abort();
    await exchanging;
    assert.ok(found > 0);
  });
});
