// SPDX-License-Identifier: Apache-2.0
import { readdir, readFile } from 'node:fs/promises';
import { join, parse as parsePath } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { basics, catalogue, recipeFor, systemPath } from './catalogue.ts';
import { recipeReader, type RecipeReader } from './recipe-reader.ts';
import type { ImageFile, Recipe, RootRecipe, VenvRecipe } from './recipe.ts';

/** The recipes of a folder, and the errors of invalid ones. */
export interface UserRecipes {
  recipes: readonly Recipe[];
  problems: readonly string[];
}

/** Reads the recipes of the user, one per YAML or JSON file; a missing folder has none. */
export async function readUserRecipes(folder: string): Promise<UserRecipes> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /\.(?:ya?ml|json)$/.test(name)).toSorted();
  const recipes: Recipe[] = [];
  const problems: string[] = [];
  for (const name of names) {
    const file = join(folder, name);
    try {
      recipes.push(userRecipe(await readFile(file, 'utf8'), file));
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  return { recipes, problems };
}

/** The recipe in the text of a file; throws an error that names the field and the remedy. */
export function userRecipe(text: string, file: string): Recipe {
  const reader = recipeReader(file, parsed(text, file)).only(
    'references',
    'from',
    'root',
    'venv',
    'env',
    'entrypoint',
    'cmd',
  );
  const references = reader.required('references').strings();
  if (references.length === 0) reader.required('references').fail('must have at least one image reference');
  // The prefix separates them from locked roots of the same name.
  const name = `user-${parsePath(file)
    .name.toLowerCase()
    .replaceAll(/[^a-z0-9.-]/g, '-')}`;
  const venv = venvOf(reader.field('venv'), name, file);
  const env = (reader.field('env')?.entries() ?? []).map(([key, value]) => [key, value.text()] as const);
  const base = baseOf(reader.field('from'));
  const inheritedPath = base?.env['PATH'] ?? systemPath;
  const path = venv ? `${venv.path}/bin:${inheritedPath}` : inheritedPath;
  const entrypoint = reader.field('entrypoint')?.strings();
  const root = base ? (reader.field('root') ?? recipeReader(file, {}, 'root')) : reader.required('root');
  return {
    references,
    ...(base && { base }),
    root: rootOf(root, { name, file, base, further: venv ? ['python3'] : [] }),
    ...(venv && { venv }),
    env: { ...base?.env, PATH: path, ...Object.fromEntries(env) },
    entrypoint: entrypoint ?? base?.entrypoint ?? [],
    // As in a Dockerfile: the arguments of another entrypoint are not inherited.
    cmd: reader.field('cmd')?.strings() ?? (entrypoint === undefined ? base?.cmd : undefined) ?? [],
  };
}

function baseOf(reader: RecipeReader | undefined): Recipe | undefined {
  if (!reader) return undefined;
  const found = recipeFor(reader.text());
  if (found) return found;
  const known = catalogue.flatMap(({ references }) => references).join(', ');
  return reader.fail(`must be an image of the catalogue: use one of ${known}`);
}

function parsed(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new Error(`recipe ${file}: the file is not YAML: ${(error as Error).message}`, { cause: error });
  }
}

/** The recipe that a root belongs to. */
interface RootContext {
  name: string;
  file: string;
  base: Recipe | undefined;
  /** Packages that the recipe needs besides those it names. */
  further: readonly string[];
}

function rootOf(reader: RecipeReader, { name, file, base, further }: RootContext): RootRecipe {
  reader.only('packages', 'user', 'directories', 'files');
  const packages = base ? reader.field('packages') : reader.required('packages');
  const named = packages?.strings() ?? [];
  const wrong = named.find((each) => !/^[a-z0-9][a-z0-9+.-]+$/.test(each));
  if (wrong !== undefined) packages?.fail(`must be names of Debian packages, which ${JSON.stringify(wrong)} is not`);
  const user = reader.field('user')?.only('name', 'uid', 'gid', 'home');
  const directories = reader.field('directories');
  const files = filesOf(reader.field('files'), file);
  return {
    name,
    ...(base && { base: base.root }),
    packages: [...new Set([...(base ? [] : basics), ...further, ...named])],
    ...(user && {
      user: {
        name: user.required('name').text(),
        uid: user.required('uid').number(),
        gid: user.required('gid').number(),
        home: user.required('home').text(),
      },
    }),
    ...(directories && { directories: directories.strings().map((path) => inImage(path, directories)) }),
    ...(files && { files }),
  };
}

function venvOf(reader: RecipeReader | undefined, name: string, file: string): VenvRecipe | undefined {
  if (!reader) return undefined;
  reader.only('path', 'lock', 'files');
  const path = reader.required('path');
  if (!/^(?:\/[^/]+)+$/.test(path.text())) path.fail('must be an absolute path in the image, such as /opt/app');
  const files = filesOf(reader.field('files'), file);
  const lock = besideRecipe(file, reader.required('lock').text());
  return { name: `${name}-venv`, path: path.text(), requirements: [], lock, ...(files && { files }) };
}

function filesOf(reader: RecipeReader | undefined, file: string): Record<string, ImageFile> | undefined {
  if (!reader) return undefined;
  const files = reader.entries().map(([path, entry]) => {
    entry.only('source', 'mode');
    const mode = entry.field('mode')?.text() ?? '0644';
    if (!/^0?[0-7]{3}$/.test(mode)) entry.field('mode')?.fail('must be an octal mode in quotes, such as "0755"');
    const source = besideRecipe(file, entry.required('source').text());
    return [inImage(path, entry), { source, mode: Number.parseInt(mode, 8) }] as const;
  });
  return Object.fromEntries(files);
}

/** A path inside the image, without a leading slash. */
function inImage(path: string, reader: RecipeReader): string {
  const parts = path.replace(/^\/+/, '').split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) {
    reader.fail(`must be a path inside the image, which ${JSON.stringify(path)} is not`);
  }
  return parts.join('/');
}

/** A path relative to the file of the recipe. */
function besideRecipe(file: string, path: string): URL {
  return new URL(path, pathToFileURL(file));
}
