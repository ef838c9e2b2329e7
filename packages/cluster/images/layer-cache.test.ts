// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { layerCache } from './layer-cache.ts';

describe('the layer cache', { skip: process.platform !== 'linux' }, () => {
  let cacheDir = '';
  beforeEach(async () => {
    cacheDir = await mkdtemp(join(tmpdir(), 'forge-layers-'));
  });
  afterEach(() => rm(cacheDir, { recursive: true }));

  it('builds once for concurrent callers, in one process or in two', async () => {
    let builds = 0;
    const build = async (folder: string): Promise<string> => {
      builds += 1;
      await writeFile(join(folder, 'file'), 'content');
      return 'made of this';
    };
    const [one, other] = [layerCache(cacheDir), layerCache(cacheDir)];
    let missing = 0;
    const ensure = (cache: typeof one) => cache.ensure('base', { version: 1 }, build, () => (missing += 1));
    const layers = await Promise.all([one, one, other].map(ensure));
    assert.deepEqual([builds, missing], [1, 3]);
    await ensure(one);
    assert.deepEqual([builds, missing], [1, 3]);
    assert.equal(new Set(layers.map(({ folder, digest }) => folder + digest)).size, 1);
    assert.equal(await readFile(join(layers[0]?.folder ?? '', 'file'), 'utf8'), 'content');
  });

  it('rebuilds when the inputs change, and gives the same content the same digest', async () => {
    const cache = layerCache(cacheDir);
    const first = await cache.ensure('base', { version: 1 }, () => Promise.resolve('same'));
    const second = await cache.ensure('base', { version: 2 }, () => Promise.resolve('same'));
    assert.notEqual(first.folder, second.folder);
    assert.equal(first.digest, second.digest);
  });

  it('hides a failed build, removes it, and starts the next one from an empty folder', async () => {
    const cache = layerCache(cacheDir);
    const first = cache.ensure('base', 1, async (folder) => {
      await mkdir(join(folder, 'half'));
      throw new Error('disk full');
    });
    await assert.rejects(first, /disk full/);
    assert.deepEqual(await readdir(join(cacheDir, 'layers')), []);
    const layer = await cache.ensure('base', 1, () => Promise.resolve('whole'));
    assert.deepEqual(await readdir(layer.folder), []);
  });
});
