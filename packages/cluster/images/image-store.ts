// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileDigests } from '../host/file-digests.ts';
import { catalogue, pip, recipeFor, tools } from './catalogue.ts';
import { digestOf } from './digest.ts';
import { type Layer, layerCache } from './layer-cache.ts';
import { ensureBundle, ensureNode, nodePath } from './program-layers.ts';
import { assemblePythonVenv } from './python-venv.ts';
import type { ProgramRecipe, Recipe, RootRecipe, VenvRecipe } from './recipe.ts';
import { rootLayers } from './root-layers.ts';
import { readUserRecipes, type UserRecipes } from './user-recipes.ts';
import { fetchWheels, pythonLockOf, requirementsOf } from './wheels.ts';

type Progress = (text: string) => void;

/** A local image: the folders to mount, and the defaults of its containers. */
export interface AssembledImage {
  reference: string;
  digest: string;
  root: string;
  mounts: readonly { source: string; target: string }[];
  env: Readonly<Record<string, string>>;
  entrypoint: readonly string[];
  cmd: readonly string[];
  user: { uid: number; gid: number };
}

/** The source of container images. */
export interface ImageStore {
  /**
   * The image of a reference, assembled on the first call; later calls take a few milliseconds and report no progress.
   */
  ensure(reference: string, options?: { onProgress?: Progress }): Promise<AssembledImage>;
}

/** Options of an image store. */
export interface ImageStoreOptions {
  cacheDir: string;
  /** The folder of the user's recipes, read at every pull of an image. */
  recipesDir?: string;
  log: (line: string) => void;
  /** Recipes besides those of the catalogue. Default: none. */
  recipes?: readonly Recipe[];
  signal?: AbortSignal;
}

const noRecipes: UserRecipes = { recipes: [], problems: [] };

interface MountedLayer extends Layer {
  target: string;
}

/**
 * The images below `cacheDir`, assembled by the recipes of the catalogue, of the user and of `recipes`; `log` receives
 * deviations from the locked versions. A store bundles each program once.
 */
export function imageStore({ cacheDir, recipesDir, log, recipes = [], signal }: ImageStoreOptions): ImageStore {
  const layers = layerCache(cacheDir, signal);
  const roots = rootLayers({ cacheDir, layers, digests: fileDigests(), log, signal });
  const programs = new Map<ProgramRecipe, Promise<MountedLayer[]>>();

  const ensureVenv = async (recipe: VenvRecipe, root: RootRecipe, progress: Progress): Promise<Layer> => {
    const lock = pythonLockOf(recipe);
    const requirements = await readFile(lock, 'utf8');
    const files = await roots.contentsOf(recipe.files);
    const inputs = { ...recipe, files, lock: requirements, root: await roots.inputsOf(root) };
    const build = async (folder: string) => {
      const wheels = join(cacheDir, 'wheels');
      const pipWithWheels = roots.ensure(pip, progress).then(async (layer) => {
        progress(`fetching ${requirementsOf(requirements).length} Python packages`);
        await fetchWheels(wheels, requirements, layer.folder, signal);
        return layer;
      });
      const [own, builder, toolbox] = await Promise.all([
        roots.ensure(root, progress),
        pipWithWheels,
        roots.ensure(tools, progress),
      ]);
      const folders = { image: own.folder, pip: builder.folder, tools: toolbox.folder };
      await assemblePythonVenv(recipe, folder, { roots: folders, wheels, lock: fileURLToPath(lock), progress, signal });
      return { ...inputs, root: own.digest };
    };
    return layers.ensure(recipe.name, inputs, build, () => progress(`assembling ${recipe.name}`));
  };

  const bundleProgram = async (recipe: ProgramRecipe, progress: Progress): Promise<MountedLayer[]> => {
    const options = { layers, progress, signal };
    const [node, bundle] = await Promise.all([ensureNode(options), ensureBundle(recipe, options)]);
    return [
      { ...node, target: nodePath },
      { ...bundle, target: recipe.path },
    ];
  };

  const ensureProgram = (recipe: ProgramRecipe, progress: Progress): Promise<MountedLayer[]> => {
    const found = programs.get(recipe);
    if (found) return found;
    const bundling = bundleProgram(recipe, progress);
    programs.set(recipe, bundling);
    bundling.catch(() => programs.delete(recipe)); // the next call tries again
    return bundling;
  };

  const mountedLayers = async (recipe: Recipe, progress: Progress): Promise<MountedLayer[]> => {
    const { base, root, venv, program } = recipe;
    const inherited = base ? await mountedLayers(base, progress) : [];
    if (venv) return [...inherited, { ...(await ensureVenv(venv, root, progress)), target: venv.path }];
    return program ? [...inherited, ...(await ensureProgram(program, progress))] : inherited;
  };

  return {
    async ensure(reference, { onProgress = () => {} } = {}) {
      const own = recipesDir === undefined ? noRecipes : await readUserRecipes(recipesDir);
      const further = [...own.recipes, ...recipes];
      const recipe = recipeFor(reference, further);
      if (!recipe) {
        const { problems } = own;
        throw new Error(
          unknownImage(reference, { further, problems, ...(recipesDir !== undefined && { recipesDir }) }),
        );
      }
      const { root, env, entrypoint, cmd } = recipe;
      const [rootLayer, mounted] = await Promise.all([
        roots.ensure(root, onProgress),
        mountedLayers(recipe, onProgress),
      ]).catch((cause: unknown) => {
        throw new Error(`image ${reference} cannot be assembled: ${messageOf(cause)}`, { cause });
      });
      return {
        reference,
        digest: digestOf([rootLayer.digest, mounted.map(({ digest }) => digest), env, entrypoint, cmd]),
        root: rootLayer.folder,
        mounts: mounted.map(({ folder, target }) => ({ source: folder, target })),
        env,
        entrypoint,
        cmd,
        user: userOf(root),
      };
    },
  };
}

/** The user that an image runs as. */
function userOf({ user, base }: RootRecipe): { uid: number; gid: number } {
  if (user === undefined && base !== undefined) return userOf(base);
  return { uid: user?.uid ?? 0, gid: user?.gid ?? 0 };
}

/** The list of all images is long, so it comes last, after the remedy and errors in recipes. */
function unknownImage(
  reference: string,
  { further, problems, recipesDir }: { further: readonly Recipe[]; problems: readonly string[]; recipesDir?: string },
): string {
  const known = [...further, ...catalogue].flatMap(({ references }) => references).join(', ');
  return [
    `image ${reference} is not in the node's image catalogue`,
    ...(recipesDir === undefined
      ? []
      : [
          `To add it, write a recipe to a file ${recipesDir}/NAME.yaml as docs/recipes.md describes; it is used at the next retry`,
        ]),
    ...problems,
    `The catalogue has ${known}`,
  ].join('. ');
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
