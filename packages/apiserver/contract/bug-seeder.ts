// SPDX-License-Identifier: Apache-2.0
import { registerHooks, type LoadFnOutput } from 'node:module';
import type { EmbeddedWire } from './embedded-wire.ts';

/** A bug put into the server on purpose: in this file, this text is replaced by that. */
export interface SeededBug {
  /** What goes wrong. */
  readonly name: string;
  /** The row that must notice. */
  readonly row: string;
  /** Below `packages`: `apiserver/delete.ts`. */
  readonly file: string;
  /** Occurs once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** Makes servers that have a bug; the files on disk stay as they are. */
export interface BugSeeder {
  /** What starts a server with the bug; rejects when the text to replace is not there exactly once. */
  seed(bug: SeededBug): Promise<() => Promise<EmbeddedWire>>;
  end(): void;
}

const packages = new URL('../../', import.meta.url).href;
const entry = new URL('embedded-wire.ts', import.meta.url).href;

/**
 * Loads the server anew for each bug: a mark in a module's address goes on to whatever it imports, so that a server's
 * modules are all its own, and the one with the bug gets another text.
 */
export function bugSeeder(): BugSeeder {
  const bugs: SeededBug[] = [];
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      const [, mark] = context.parentURL?.split('?bug=') ?? [];
      return mark !== undefined && resolved.url.startsWith(packages)
        ? { ...resolved, url: `${resolved.url}?bug=${mark}` }
        : resolved;
    },
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const [file, mark] = url.split('?bug=');
      const bug = bugs[Number(mark)];
      if (bug === undefined || file !== packages + bug.file) return loaded;
      return { ...loaded, source: infected(textOf(loaded.source), bug) };
    },
  });
  return {
    async seed(bug) {
      const mark = bugs.push(bug) - 1;
      const module = (await import(`${entry}?bug=${mark}`)) as { embeddedWire: () => Promise<EmbeddedWire> };
      return module.embeddedWire;
    },
    end: () => hooks.deregister(),
  };
}

function textOf(source: LoadFnOutput['source']): string {
  return typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString();
}

function infected(source: string, { name, file, find, replace }: SeededBug): string {
  const [before, after, ...more] = source.split(find);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`"${name}" cannot be seeded: its text is not once in ${file}`);
  }
  return before + replace + after;
}
