// SPDX-License-Identifier: Apache-2.0
import { chmod, copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileDigests } from '../host/file-digests.ts';
import { runCommand } from '../host/run-command.ts';
import type { Layer, LayerCache } from './layer-cache.ts';
import type { ProgramRecipe } from './recipe.ts';

/** The folder of Node in the images of programs. */
export const nodePath = '/opt/node';

/** The dependencies of program layers. */
export interface ProgramLayersOptions {
  layers: LayerCache;
  progress: (text: string) => void;
  signal?: AbortSignal | undefined;
}

/** Node, in a layer that all programs share. */
export async function ensureNode({ layers, progress }: ProgramLayersOptions): Promise<Layer> {
  const { version, file } = await installedNode();
  const inputs = { version, arch: process.arch };
  const build = async (folder: string) => {
    await mkdir(join(folder, 'bin'));
    await copyFile(file, join(folder, 'bin/node'));
    await chmod(join(folder, 'bin/node'), 0o755);
    return inputs;
  };
  return layers.ensure(`node-${version}`, inputs, build, () => progress(`copying Node ${version}`));
}

/** The bundle of a program. Its content is the key of the layer: a changed source gives a new image. */
export async function ensureBundle(recipe: ProgramRecipe, options: ProgramLayersOptions): Promise<Layer> {
  const { layers, progress, signal } = options;
  const bundled = await mkdtemp(join(tmpdir(), 'forge-bundle-'));
  try {
    progress(`bundling ${recipe.name}`);
    const bundler = fileURLToPath(new URL('bundle-program.ts', import.meta.url));
    const command = [process.execPath, bundler, fileURLToPath(recipe.entry), bundled];
    await runCommand(command, { name: `bundling ${recipe.name}`, signal });
    const inputs = { name: recipe.name, files: await digestsOf(bundled, signal) };
    return await layers.ensure(recipe.name, inputs, async (folder) => {
      await cp(bundled, folder, { recursive: true });
      return inputs;
    });
  } finally {
    await rm(bundled, { recursive: true, force: true });
  }
}

/**
 * The Node that npm installs with Forge, which depends only on libstdc++ and libc. Without it (npm ci --omit=optional),
 * the Node of this process, which works in the image unless a distribution built it.
 */
async function installedNode(): Promise<{ version: string; file: string }> {
  try {
    const manifest = createRequire(import.meta.url).resolve(`node-linux-${process.arch}/package.json`);
    const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
    return { version, file: join(dirname(manifest), 'bin/node') };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    return { version: process.versions.node, file: process.execPath };
  }
}

async function digestsOf(folder: string, signal?: AbortSignal): Promise<Record<string, string>> {
  const names = (await readdir(folder)).toSorted();
  const digests = await fileDigests().of(
    names.map((name) => join(folder, name)),
    signal,
  );
  return Object.fromEntries(names.map((name, index) => [name, digests[index] ?? '']));
}
