// SPDX-License-Identifier: Apache-2.0
import { availableParallelism } from 'node:os';
import { inParallel } from '../host/in-parallel.ts';
import { runCommand } from '../host/run-command.ts';
import { choosePackages, type PackageChoice } from './choose-packages.ts';
import type { DebianPackage } from './debian-lock.ts';
import { compileStandardLibrary } from './host-python.ts';
import type { RootRecipe } from './recipe.ts';
import { finishRoot, prepareRoot } from './root-skeleton.ts';

/** Options for assembling a root. */
export interface DebianRootOptions extends PackageChoice {
  /** The folder of the recipe's base, if it has one. */
  base?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Unpacks the packages of a root that its base does not have into `folder`, and returns them. */
export async function assembleDebianRoot(
  recipe: RootRecipe,
  folder: string,
  options: DebianRootOptions,
): Promise<DebianPackage[]> {
  const { apt, base, progress, signal } = options;
  const packages = await addedPackages(recipe, options);
  progress(`fetching ${packages.length} Debian packages`);
  await apt.fetch(packages);
  progress(`unpacking ${packages.length} Debian packages`);
  if (base === undefined) await prepareRoot(folder);
  else await runCommand(['cp', '--archive', '--reflink=auto', `${base}/.`, folder], { signal });
  await inParallel(packages, availableParallelism(), (each, abort) => unpack(apt.fileOf(each), folder, abort), signal);
  await finishRoot(recipe, folder);
  await compileStandardLibrary(folder, signal);
  return packages;
}

/** The packages of a root that its base does not have in this version. */
async function addedPackages(recipe: RootRecipe, options: PackageChoice): Promise<DebianPackage[]> {
  const { base, packages } = recipe;
  if (base === undefined) return choosePackages(recipe, options);
  if (packages.length === 0) return [];
  const inherited = new Map((await allPackages(base, options)).map(({ name, version }) => [name, version]));
  const wanted = await choosePackages({ ...recipe, packages: [...inherited.keys(), ...packages] }, options);
  return wanted.filter(({ name, version }) => inherited.get(name) !== version);
}

async function allPackages(recipe: RootRecipe, options: PackageChoice): Promise<DebianPackage[]> {
  const inherited = recipe.base === undefined ? [] : await allPackages(recipe.base, options);
  return [...inherited, ...(await addedPackages(recipe, options))];
}

/**
 * Unpacks with tar: dpkg-deb alone would replace the links /bin, /lib, … of a merged /usr by folders. Owners and
 * set-uid bits are dropped.
 */
async function unpack(file: string, folder: string, signal: AbortSignal): Promise<void> {
  const unneeded = ['man', 'info', 'locale'].map((name) => `--exclude=./usr/share/${name}/*`);
  // The pipe has the exit status of tar, which fails on a truncated archive; that of dpkg-deb is not needed.
  const pipe = ['sh', '-c', 'dpkg-deb --fsys-tarfile "$0" | tar --extract "$@"', file];
  const keep = ['--keep-directory-symlink', '--no-same-owner', '--no-same-permissions'];
  await runCommand([...pipe, '--directory', folder, ...keep, ...unneeded], { signal });
}
