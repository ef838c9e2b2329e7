// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { fileDigests } from '../host/file-digests.ts';
import { imageStore } from './image-store.ts';
import { layerCache } from './layer-cache.ts';
import type { Recipe, RootRecipe, VenvRecipe } from './recipe.ts';
import { rootLayers } from './root-layers.ts';

const user = { name: 'app', uid: 42, gid: 43, home: '/' };

/** A cache that has these layers already, so that nothing is downloaded. */
async function filledCache(context: TestContext, roots: readonly RootRecipe[], venv: VenvRecipe & { lock: URL }) {
  const cacheDir = await mkdtemp(join(tmpdir(), 'forge-store-'));
  context.after(() => rm(cacheDir, { recursive: true }));
  const layers = layerCache(cacheDir);
  const rootsIn = rootLayers({ cacheDir, layers, digests: fileDigests(), log: assert.fail });
  for (const root of roots) await layers.ensure(root.name, await rootsIn.inputsOf(root), async () => root.name);
  const [base] = roots;
  const lock = await readFile(venv.lock, 'utf8');
  const inputs = { ...venv, files: [], lock, root: base && (await rootsIn.inputsOf(base)) };
  await layers.ensure(venv.name, inputs, async () => venv.name);
  return cacheDir;
}

test('an image that extends another one has its layers and its user, and its digest covers all settings', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'forge-recipes-'));
  context.after(() => rm(folder, { recursive: true }));
  const lock = pathToFileURL(join(folder, 'lock.txt'));
  await writeFile(lock, '');
  const root: RootRecipe = { name: 'base', packages: [], user };
  const extended: RootRecipe = { name: 'extended', base: root, packages: [] };
  const venv = { name: 'venv', path: '/opt/app', requirements: [], lock };
  const base: Recipe = { references: ['base:1'], root, venv, env: {}, entrypoint: [], cmd: [] };
  const cacheDir = await filledCache(context, [root, extended], venv);

  const ensure = (more: Partial<Recipe>) => {
    const recipe = { ...base, references: ['extended:1'], base, root: extended, ...more };
    const { venv: _, ...inheriting } = recipe;
    return imageStore({ cacheDir, log: assert.fail, recipes: [inheriting] }).ensure('extended:1');
  };
  const image = await ensure({});
  assert.deepEqual(
    image.mounts.map(({ target }) => target),
    ['/opt/app'],
  );
  assert.deepEqual(image.user, { uid: 42, gid: 43 });
  assert.equal((await ensure({})).digest, image.digest);
  for (const more of [{ env: { A: 'b' } }, { entrypoint: ['a'] }, { cmd: ['a'] }]) {
    assert.notEqual((await ensure(more)).digest, image.digest);
  }
});
