// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { layers } from './layers.ts';

/** An import of one of this repository's own files. */
export interface Import {
  from: string;
  to: string;
  /** As written: relative, or with the name of a package. */
  specifier: string;
}

/** The imports of a file, type-only and dynamic ones too, and what it resolves. */
export function importsOf(from: string): Import[] {
  const source = readFileSync(from, 'utf8');
  const { module } = parseSync(from, source);
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value)),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => source.slice(start + 1, end - 1)),
    ...[...source.matchAll(/import\.meta\.resolve\(['`]([^'`]+)['`]\)/g)].map(([, resolved]) => resolved),
  ];
  return specifiers.flatMap((specifier = '') => {
    if (specifier.startsWith('.')) return [{ from, to: join(dirname(from), specifier), specifier }];
    const [, name, rest] = /^@forge\/([^/]+)\/(.*)$/.exec(specifier) ?? [];
    const layer = Object.keys(layers).find((path) => path.endsWith(`/${name}`));
    return layer === undefined ? [] : [{ from, to: `${layer}/${rest}`, specifier }];
  });
}

/** The package of a file; of scripts and benchmarks their folder. */
export function layerOf(path: string): string {
  const [folder = '', name = ''] = path.split('/');
  return folder === 'bench' || folder === 'scripts' ? folder : `${folder}/${name}`;
}

/** Whether a file is a test, or in a folder of tests. */
export function isTest(path: string): boolean {
  return /\.(test|e2e|load|kubernetes|neighbours)\.ts$/.test(path) || path.includes('/test/');
}
