// SPDX-License-Identifier: Apache-2.0
import type { Apt } from './apt.ts';
import { type DebianLock, type DebianPackage, lockedPackages } from './debian-lock.ts';
import type { RootRecipe } from './recipe.ts';

/** The inputs of {@link choosePackages}. */
export interface PackageChoice {
  apt: Apt;
  distribution: string;
  lock: DebianLock | undefined;
  /** Called with one line that explains why the locked packages are not used. */
  log: (line: string) => void;
  progress: (text: string) => void;
}

/** The locked packages if available, otherwise the current ones, whose signatures apt verifies as well. */
export async function choosePackages(recipe: RootRecipe, options: PackageChoice): Promise<DebianPackage[]> {
  const { apt, distribution, lock, log, progress } = options;
  const locked = lockedPackages(lock, recipe.name);
  if (!locked) {
    log(`no locked packages of ${recipe.name} for ${distribution}: using the current ones`);
    progress('reading the package lists');
    return apt.resolve(recipe.packages);
  }
  const missing = await apt.missing(locked);
  if (missing.length === 0) return locked;
  progress('reading the package lists');
  const published = new Set(await apt.published(missing));
  const gone = missing.filter((each) => !published.has(each)).map(({ name, version }) => `${name} ${version}`);
  if (gone.length === 0) return locked;
  log(`the archive of ${distribution} no longer has ${gone.join(', ')}: using the current packages of ${recipe.name}`);
  return apt.resolve(recipe.packages);
}
