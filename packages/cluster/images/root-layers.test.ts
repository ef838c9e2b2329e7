// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { fileDigests } from '../host/file-digests.ts';
import { layerCache } from './layer-cache.ts';
import type { RootRecipe } from './recipe.ts';
import { rootLayers } from './root-layers.ts';

test('the inputs of a root include every byte of its files and of the files of its base', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'forge-roots-'));
  context.after(() => rm(folder, { recursive: true }));
  const program = join(folder, 'program');
  const base: RootRecipe = {
    name: 'base',
    packages: [],
    files: { 'usr/bin/program': { source: pathToFileURL(program), mode: 0o755 } },
  };
  const derived: RootRecipe = { name: 'derived', base, packages: [] };
  const options = { cacheDir: folder, layers: layerCache(folder), digests: fileDigests(), log: assert.fail };
  const roots = rootLayers(options);
  const inputs = async (...bytes: number[]) => {
    await writeFile(program, Buffer.from(bytes));
    return JSON.stringify([await roots.inputsOf(base), await roots.inputsOf(derived)]);
  };
  // Decoded as text, both bytes would be the same character.
  const [one, other] = [await inputs(0xff), await inputs(0xfe)];
  assert.notEqual(one, other);
  assert.equal(await inputs(0xff), one);
  assert.doesNotMatch(one, new RegExp(folder), 'two checkouts share the cache');
  const changed: RootRecipe[] = [
    { ...base, files: { 'usr/bin/program': { source: pathToFileURL(program), mode: 0o700 } } },
    { ...base, files: { 'usr/bin/other': { source: pathToFileURL(program), mode: 0o755 } } },
  ];
  for (const each of changed) {
    assert.notDeepEqual(await roots.inputsOf(each), await roots.inputsOf(base));
    assert.notDeepEqual(await roots.inputsOf({ ...derived, base: each }), await roots.inputsOf(derived));
  }
});
