// SPDX-License-Identifier: Apache-2.0
// Checks that imports point down only; docs/design.md draws the layers.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Whom each room may import besides itself; tests may also use what is for development. */
const below: Record<string, readonly string[]> = {
  'packages/cron': [],
  'packages/pki': [],
  'packages/kube': [],
  'packages/runtime': ['packages/kube', 'packages/pki'],
  'packages/openstack': ['packages/kube', 'packages/runtime'],
  'packages/apiserver': ['packages/kube', 'packages/runtime', 'packages/pki', 'packages/cron'],
  'packages/cluster': ['packages/kube', 'packages/runtime', 'packages/pki'],
  'packages/simulation': ['packages/kube', 'packages/runtime', 'packages/pki', 'packages/apiserver'],
  'examples/websites': ['packages/kube', 'packages/runtime'],
  'operators/keystone': ['packages/kube', 'packages/runtime', 'packages/openstack'],
};
const everything = Object.keys(below);
const development = [
  'packages/apiserver',
  'packages/cluster',
  'packages/simulation',
  'packages/pki',
  'examples/websites',
];

const files = globSync('{apps,examples,operators,packages}/**/*.ts', {
  exclude: (name) => name.endsWith('node_modules'),
});
const violations = files.flatMap(importsOf).filter(({ from, to }) => !mayImport(from, to));
for (const { from, to } of violations) console.log(`${from} must not import ${to}`);
console.log(`${files.length} files, ${violations.length} imports that point up`);
process.exitCode = files.length === 0 || violations.length > 0 ? 1 : 0;

interface Import {
  from: string;
  to: string;
}

/** Imports of this repository's own files, type-only and dynamic ones too. */
function importsOf(from: string): Import[] {
  const source = readFileSync(from, 'utf8');
  const { module } = parseSync(from, source);
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value)),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => source.slice(start + 1, end - 1)),
  ];
  return specifiers.flatMap((specifier) => {
    if (specifier?.startsWith('.')) return [{ from, to: join(dirname(from), specifier) }];
    const [, name, rest] = /^@forge\/([^/]+)\/(.*)$/.exec(specifier ?? '') ?? [];
    const room = everything.find((path) => path.endsWith(`/${name}`));
    return room === undefined ? [] : [{ from, to: `${room}/${rest}` }];
  });
}

function mayImport(from: string, to: string): boolean {
  const [fromRoom, toRoom] = [roomOf(from), roomOf(to)];
  if (fromRoom === toRoom || fromRoom.startsWith('apps/')) return true;
  const allowed = below[fromRoom] ?? [];
  return allowed.includes(toRoom) || (isTest(from) && development.includes(toRoom));
}

function roomOf(path: string): string {
  return path.split('/').slice(0, 2).join('/');
}

function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || path.includes('/test/');
}
