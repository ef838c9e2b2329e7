// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks, type LoadFnOutput } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A seeded bug: a text replacement in a source file. */
export interface SourceBug {
  /** What goes wrong. */
  readonly name: string;
  /** Path below the repository: `packages/apiserver/verbs/delete.ts`. */
  readonly file: string;
  /** Occurs once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** Loads modules with a seeded bug; files on disk are unchanged. */
export interface BugSeeder {
  /** Loads the module at this URL, and whatever it imports, with the bug; rejects unless the text occurs exactly once in what it imports. */
  load<T>(bug: SourceBug, entry: string): Promise<T>;
  end(): void;
}

const repository = new URL('../../../', import.meta.url).href;
/** Folders of the workspace in which `@forge/{name}` may be. */
const workspaces = ['packages', 'operators', 'examples', 'apps'].map((folder) => `${repository}${folder}/`);

/** Numbers the seeders of the process: modules that one of them has loaded must not be taken for those of another. */
let seeders = 0;

/**
 * Reloads the modules that depend on the changed file, for each bug: a query in the module URL is passed on to imports,
 * and the changed file gets the new source. All other modules are shared.
 */
export function bugSeeder(): BugSeeder {
  const query = `?bug=${seeders++}.`;
  const bugs: SourceBug[] = [];
  const dependsOn = dependencyCheck();
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      const [, mark] = context.parentURL?.split(query) ?? [];
      const bug = bugs[Number(mark)];
      return bug !== undefined && dependsOn(bug.file, resolved.url)
        ? { ...resolved, url: `${resolved.url}${query}${mark}` }
        : resolved;
    },
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const [file, mark] = url.split(query);
      const bug = bugs[Number(mark)];
      if (bug === undefined || file !== repository + bug.file) return loaded;
      return { ...loaded, source: withBug(textOf(loaded.source), bug) };
    },
  });
  return {
    async load<T>(bug: SourceBug, entry: string) {
      if (!dependsOn(bug.file, entry)) {
        throw new Error(`"${bug.name}" cannot be seeded: ${entry} does not import ${bug.file}`);
      }
      const mark = bugs.push(bug) - 1;
      return (await import(`${entry}${query}${mark}`)) as T;
    },
    end: () => hooks.deregister(),
  };
}

/**
 * Returns a check whether a module imports a file below the repository, directly or transitively; a module depends on
 * itself.
 */
function dependencyCheck(): (file: string, module: string) => boolean {
  const imports = new Map<string, readonly string[]>();
  const known = new Map<string, Map<string, boolean>>();

  function importsOf(module: string): readonly string[] {
    const found = imports.get(module);
    if (found !== undefined || !module.startsWith(repository) || !module.endsWith('.ts')) return found ?? [];
    const source = readFileSync(fileURLToPath(module), 'utf8').replaceAll(/^import type [^;]*;/gm, '');
    const specifiers = [...source.matchAll(/(?: from |import\()'([^']+)'/g)].map(([, specifier = '']) => specifier);
    const addresses = specifiers.flatMap((specifier) => {
      if (specifier.startsWith('.')) return [new URL(specifier, module).href];
      if (!specifier.startsWith('@forge/')) return [];
      const path = specifier.slice('@forge/'.length);
      return workspaces.map((folder) => folder + path).filter((address) => existsSync(fileURLToPath(address)));
    });
    imports.set(module, addresses);
    return addresses;
  }

  return function isDependent(file: string, module: string): boolean {
    const answers = known.get(file) ?? new Map<string, boolean>();
    known.set(file, answers);
    const visit = (each: string): boolean => {
      const answer = answers.get(each);
      if (answer !== undefined) return answer;
      // Provisional, for import cycles.
      answers.set(each, false);
      const depends = each === repository + file || importsOf(each).some(visit);
      answers.set(each, depends);
      return depends;
    };
    return visit(module);
  };
}

function textOf(source: LoadFnOutput['source']): string {
  return typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString();
}

function withBug(source: string, { name, file, find, replace }: SourceBug): string {
  const [before, after, ...more] = source.split(find);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`"${name}" cannot be seeded: its text is not once in ${file}`);
  }
  return before + replace + after;
}
