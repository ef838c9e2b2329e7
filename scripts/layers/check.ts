// SPDX-License-Identifier: Apache-2.0
// Checks that imports point down only, between packages and between the rooms of a package; layers.ts declares both.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { layers } from './layers.ts';

/** A room with more source files than this holds more than one subject. */
const roomSize = 22;
/** Tests may issue their own certificates. */
const forTests = new Set(['packages/pki']);

const files = globSync('{apps,examples,operators,packages}/**/*.ts', {
  exclude: (name) => name.endsWith('node_modules'),
});
const problems = [...files.flatMap(importsOf).flatMap(problemsOf), ...Object.keys(layers).flatMap(roomProblemsOf)];
for (const problem of problems) console.log(problem);
console.log(`${files.length} files, ${problems.length} problems`);
process.exitCode = files.length === 0 || problems.length > 0 ? 1 : 0;

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
    const layer = Object.keys(layers).find((path) => path.endsWith(`/${name}`));
    return layer === undefined ? [] : [{ from, to: `${layer}/${rest}` }];
  });
}

function problemsOf({ from, to }: Import): string[] {
  const [layer, target] = [layerOf(from), layerOf(to)];
  if (layer === target) return pointsUp(layer, from, to) ? [`${from} must not import ${to}: the room is above`] : [];
  const mayImport =
    layer.startsWith('apps/') ||
    layers[layer]?.imports.includes(target) === true ||
    (layers[layer]?.importsKindOf === target && isKind(target, to)) ||
    (isTest(from) && (layers[target]?.development === true || forTests.has(target)));
  return mayImport ? [] : [`${from} must not import ${to}: the package is not below`];
}

/** Tests may import from every room of their package; package.json belongs to none. */
function pointsUp(layer: string, from: string, to: string): boolean {
  const rooms = layers[layer]?.rooms;
  if (rooms === undefined || isTest(from) || isTest(to) || !to.endsWith('.ts')) return false;
  const [room, target] = [roomOf(layer, from), roomOf(layer, to)];
  if (layers[layer]?.spine === true && [room, target].includes('.')) return false;
  return rooms.indexOf(target) < rooms.indexOf(room);
}

/** Rooms that are undeclared, missing, too large or without a README. */
function roomProblemsOf(layer: string): string[] {
  const { rooms, spine } = layers[layer] ?? {};
  if (rooms === undefined) return [];
  const counts = Map.groupBy(
    files.filter((file) => layerOf(file) === layer && !isTest(file)),
    (file) => roomOf(layer, file),
  );
  const undeclared = [...counts.keys()].filter((room) => !rooms.includes(room) && !(spine === true && room === '.'));
  return [
    ...undeclared.map((room) => `${layer}/${room} is not declared in scripts/layers/layers.ts`),
    ...rooms.filter((room) => !counts.has(room)).map((room) => `${layer}/${room} is declared but does not exist`),
    ...[...counts.values()].flatMap((room) => [...Map.groupBy(room, dirname)].flatMap(sizeProblem)),
    ...rooms
      .filter((room) => room !== '.' && !existsSync(join(layer, room, 'README.md')))
      .map((room) => `${layer}/${room} has no README.md that describes it`),
  ];
}

function sizeProblem([folder, { length }]: [string, readonly string[]]): string[] {
  return length > roomSize ? [`${folder} has ${length} source files; ${roomSize} at most`] : [];
}

function layerOf(path: string): string {
  return path.split('/').slice(0, 2).join('/');
}

/** The room of a file: its folder, or in an operator the declared folder above it. */
function roomOf(layer: string, path: string): string {
  const folder = dirname(path).slice(layer.length + 1) || '.';
  const above = layers[layer]?.rooms?.find((room) => layers[layer]?.spine && folder.startsWith(`${room}/`));
  return above ?? folder;
}

/** Whether the file is the kind of an operator: `kind/`, or the file of the operator's own name. */
function isKind(operator: string, path: string): boolean {
  return path === `${operator}/${basename(operator)}.ts` || path.startsWith(`${operator}/kind/`);
}

function isTest(path: string): boolean {
  return /\.(test|e2e)\.ts$/.test(path) || path.includes('/test/');
}
