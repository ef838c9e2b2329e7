// SPDX-License-Identifier: Apache-2.0
import type { FileDigests } from '../host/file-digests.ts';
import { type Apt, privateApt } from './apt.ts';
import { type DebianLock, lockedPackages, readDebianLock } from './debian-lock.ts';
import { assembleDebianRoot } from './debian-root.ts';
import { distributionOf, hostRelease } from './distribution.ts';
import type { Layer, LayerCache } from './layer-cache.ts';
import type { ImageFile, RootRecipe } from './recipe.ts';

type Progress = (text: string) => void;

/** The dependencies of root layers. */
export interface RootLayersOptions {
  cacheDir: string;
  layers: LayerCache;
  digests: FileDigests;
  /** Receives deviations from the locked versions. */
  log: (line: string) => void;
  signal?: AbortSignal | undefined;
}

/** The layers of root file systems. */
export interface RootLayers {
  ensure(recipe: RootRecipe, progress: Progress): Promise<Layer>;
  /** Everything that determines the content of a root before apt is queried. */
  inputsOf(recipe: RootRecipe): Promise<object>;
  /** The content of files, not their path: two checkouts share the cache. */
  contentsOf(files?: Readonly<Record<string, ImageFile>>): Promise<object[]>;
}

interface DebianSource {
  apt: Apt;
  distribution: string;
  lock: DebianLock | undefined;
}

/** Roots below `cacheDir`, with packages of the machine's Debian release or of the one that a recipe names. */
export function rootLayers({ cacheDir, layers, digests, log, signal }: RootLayersOptions): RootLayers {
  const apts = new Map<string, Apt>();

  async function sourceOf(recipe: RootRecipe): Promise<DebianSource> {
    const host = await hostRelease();
    const wanted = releaseOf(recipe) ?? host;
    const distribution = distributionOf(wanted, process.arch);
    const release = wanted === host ? undefined : { wanted, host };
    const apt = apts.get(wanted) ?? privateApt(cacheDir, { release, signal });
    apts.set(wanted, apt);
    return { apt, distribution, lock: await readDebianLock(distribution) };
  }

  async function contentsOf(files: Readonly<Record<string, ImageFile>> = {}): Promise<object[]> {
    const entries = Object.entries(files);
    const sources = entries.map(([, { source }]) => source);
    const contents = await digests.of(sources, signal);
    return entries.map(([path, { mode }], index) => ({ path, mode, sha256: contents[index] }));
  }

  async function inputsOf({ base, ...own }: RootRecipe): Promise<object> {
    const { distribution, lock } = await sourceOf({ ...own, ...(base && { base }) });
    const packages = lockedPackages(lock, own.name) ?? { distribution, packages: own.packages };
    return { ...own, packages, files: await contentsOf(own.files), ...(base && { base: await inputsOf(base) }) };
  }

  async function ensure(recipe: RootRecipe, progress: Progress): Promise<Layer> {
    const inputs = await inputsOf(recipe);
    const build = async (folder: string) => {
      const base = recipe.base && (await ensure(recipe.base, progress));
      const options = { ...(await sourceOf(recipe)), base: base?.folder, log, progress, signal };
      return {
        ...inputs,
        ...(base && { base: base.digest }),
        packages: await assembleDebianRoot(recipe, folder, options),
      };
    };
    return layers.ensure(recipe.name, inputs, build, () => progress(`assembling ${recipe.name}`));
  }

  return { ensure, inputsOf, contentsOf };
}

function releaseOf({ release, base }: RootRecipe): string | undefined {
  return release ?? (base && releaseOf(base));
}
