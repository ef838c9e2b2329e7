// SPDX-License-Identifier: Apache-2.0
// Checks the direction of imports between packages and between the rooms of a package, as layers.ts declares it, that
// packages import each other through their doors, and that no two folders import each other.
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { doorProblems } from './doors.ts';
import { type Import, importsOf, isTest, layerOf } from './imports.ts';
import { layers } from './layers.ts';
import { subjectProblem } from './subject.ts';

/** A room with more source files than this holds more than one subject. */
const roomSize = 22;
/** A package's own folder, generated code, registers, programs, and rooms of operators that grow with their steps. */
const mayBeOneFile = new Set(['.', 'generated', 'stand-ins/register', 'apiserver', 'clients', 'objects']);
/** Tests may issue their own certificates. */
const forTests = new Set(['packages/pki']);

const sources = globSync('{apps,bench,examples,operators,packages,scripts}/**/*.{ts,mjs}', {
  exclude: (name) => name.endsWith('node_modules'),
});
const files = sources.filter((file) => file.endsWith('.ts') && layerOf(file) in layers);
const imports = sources.flatMap(importsOf);
const problems = [
  ...imports.filter(({ from }) => files.includes(from)).flatMap(problemsOf),
  ...doorProblems(imports),
  ...mutualImports(imports),
  ...Object.keys(layers).flatMap(roomProblemsOf),
];
for (const problem of problems) console.log(problem);
console.log(`${files.length} files, ${problems.length} problems`);
process.exitCode = files.length === 0 || problems.length > 0 ? 1 : 0;

function problemsOf({ from, to }: Import): string[] {
  const [layer, target] = [layerOf(from), layerOf(to)];
  if (layer === target) return pointsUp(layer, from, to) ? [`${from} must not import ${to}: the room is above`] : [];
  const mayImport =
    layer.startsWith('apps/') ||
    layer.startsWith('operators/operators.') ||
    layers[layer]?.imports.includes(target) === true ||
    (layers[layer]?.importsKindsOf?.includes(target) === true && to.startsWith(`${target}/api/`)) ||
    (isTest(from) && (layers[target]?.development === true || forTests.has(target)));
  return mayImport ? [] : [`${from} must not import ${to}: the package is not below`];
}

/** Tests may import from every room of their package; package.json belongs to none. */
function pointsUp(layer: string, from: string, to: string): boolean {
  const rooms = layers[layer]?.rooms;
  if (rooms === undefined || isTest(from) || isTest(to) || !to.endsWith('.ts')) return false;
  const [room, target] = [roomOf(layer, from), roomOf(layer, to)];
  return rooms.indexOf(target) < rooms.indexOf(room);
}

/** Pairs of folders that import each other: they are one folder, or what both use belongs below them. */
function mutualImports(all: readonly Import[]): string[] {
  const first = new Map<string, Import>();
  for (const each of all) {
    const [from, to] = [dirname(each.from), dirname(each.to)];
    const pair = `${from} ${to}`;
    if (from !== to && !isTest(each.from) && !isTest(each.to) && !first.has(pair)) first.set(pair, each);
  }
  return [...first].flatMap(([pair, { from, to }]) => {
    const back = first.get(pair.split(' ').toReversed().join(' '));
    if (back === undefined || dirname(from) > dirname(to)) return [];
    return [`${from} imports ${to}, and ${back.from} imports ${back.to}: two folders must not import each other`];
  });
}

/** Rooms that are undeclared, missing, too large, too small or without a single subject. */
function roomProblemsOf(layer: string): string[] {
  const { rooms } = layers[layer] ?? {};
  if (rooms === undefined) return [];
  const counts = Map.groupBy(
    files.filter((file) => layerOf(file) === layer && !isTest(file)),
    (file) => roomOf(layer, file),
  );
  const undeclared = [...counts.keys()].filter((room) => !rooms.includes(room));
  return [
    ...undeclared.map((room) => `${layer}/${room} is not declared in scripts/layers/layers.ts`),
    ...rooms.filter((room) => !counts.has(room)).map((room) => `${layer}/${room} is declared but does not exist`),
    ...[...counts.values()].flatMap((room) => [...Map.groupBy(room, dirname)].flatMap(sizeProblem)),
    ...rooms.filter((room) => room !== '.').flatMap((room) => subjectProblem(join(layer, room))),
    ...rooms
      .filter((room) => counts.get(room)?.length === 1 && !mayBeOneFile.has(room))
      .map(
        (room) => `${layer}/${room} is one source file: move it to another room of ${layer}, or add what belongs to it`,
      ),
  ];
}

function sizeProblem([folder, { length }]: [string, readonly string[]]): string[] {
  return length > roomSize ? [`${folder} has ${length} source files; ${roomSize} at most`] : [];
}

/** The room of a file: its folder, or the declared folder above it where rooms are nested. */
function roomOf(layer: string, path: string): string {
  const folder = dirname(path).slice(layer.length + 1) || '.';
  const above = layers[layer]?.rooms?.find((room) => layers[layer]?.nested && folder.startsWith(`${room}/`));
  return above ?? folder;
}
