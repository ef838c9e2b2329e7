// SPDX-License-Identifier: Apache-2.0
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readFileIfExists } from '@forge/runtime/process/read-file-if-exists.ts';
import { withFileLock } from '../host/file-lock.ts';
import { runCommand } from '../host/run-command.ts';
import { digestOf } from './digest.ts';

/** Must be incremented when the same inputs are assembled differently, so that old folders are not reused. */
const format = 1;

const partialMark = '.partial-';

/** A complete folder of the cache, and the digest of its content. */
export interface Layer {
  folder: string;
  digest: string;
}

/** Folders that are built once and then only read. */
export interface LayerCache {
  /**
   * The folder that `build` fills, built on the first call and reused afterwards.
   *
   * Guarantees: a folder is either complete or absent, whenever a process is killed; of several concurrent callers, in
   * this and other processes, one builds and the others wait. `inputs` is everything the content depends on; `build`
   * returns a description of what it used, from which the digest is computed. `onMissing` is called first when the
   * folder must be built or waited for.
   */
  ensure(
    name: string,
    inputs: unknown,
    build: (folder: string) => Promise<unknown>,
    onMissing?: () => void,
  ): Promise<Layer>;
}

/** The layers below `cacheDir`. */
export function layerCache(cacheDir: string, signal?: AbortSignal): LayerCache {
  const building = new Map<string, Promise<Layer>>();

  const buildOnce = (id: string, build: (folder: string) => Promise<unknown>): Promise<Layer> =>
    withFileLock(join(cacheDir, 'locks', id), signal, async () => {
      const finished = join(cacheDir, 'layers', id);
      const existing = await readLayer(finished);
      if (existing) return existing;
      await mkdir(dirname(finished), { recursive: true });
      try {
        const partial = await mkdtemp(`${finished}${partialMark}`);
        await mkdir(join(partial, 'root'));
        const digest = digestOf(await build(join(partial, 'root')));
        await writeFile(join(partial, 'digest'), digest);
        await runCommand(['sync', '--file-system', partial], { signal }); // otherwise a power failure could leave names without contents
        await rename(partial, finished);
        return { folder: join(finished, 'root'), digest };
      } finally {
        await sweep(finished);
      }
    });

  return {
    async ensure(name, inputs, build, onMissing) {
      const id = `${name}-${digestOf([format, inputs]).slice('sha256:'.length).slice(0, 16)}`;
      const found = await readLayer(join(cacheDir, 'layers', id));
      if (found) return found;
      onMissing?.();
      let layer = building.get(id);
      if (!layer) {
        layer = buildOnce(id, build).finally(() => building.delete(id));
        building.set(id, layer);
      }
      return layer;
    },
  };
}

/**
 * Removes the folders of a failed build, and of earlier ones that were killed. A program of such a build may still be
 * writing: therefore every build has its own folder, and a folder that cannot be removed is left for the next call.
 */
async function sweep(finished: string): Promise<void> {
  const layers = dirname(finished);
  const left = (await readdir(layers)).filter((name) => name.startsWith(`${basename(finished)}${partialMark}`));
  await Promise.allSettled(left.map((name) => rm(join(layers, name), { recursive: true, force: true })));
}

async function readLayer(finished: string): Promise<Layer | undefined> {
  const digest = (await readFileIfExists(join(finished, 'digest')))?.toString();
  return digest === undefined ? undefined : { folder: join(finished, 'root'), digest };
}
