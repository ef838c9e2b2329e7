// SPDX-License-Identifier: Apache-2.0
import { dirname } from 'node:path';
import { isTest, layerOf, type Import } from './imports.ts';
import { layers } from './layers.ts';
import { roomOf } from './rooms.ts';

/** Tests may issue their own certificates. */
const forTests = new Set(['packages/pki']);

/** Imports that point up: to a package that is not below, or to a room above. */
export function directionProblems(imports: readonly Import[]): string[] {
  return imports.flatMap(({ from, to }) => {
    const [layer, target] = [layerOf(from), layerOf(to)];
    if (layer === target) return pointsUp(layer, from, to) ? [`${from} must not import ${to}: the room is above`] : [];
    return mayImport(from, to) ? [] : [`${from} must not import ${to}: the package is not below`];
  });
}

function mayImport(from: string, to: string): boolean {
  const [layer, target] = [layerOf(from), layerOf(to)];
  return (
    layer.startsWith('apps/') ||
    layer.startsWith('operators/operators.') ||
    layers[layer]?.imports.includes(target) === true ||
    (layers[layer]?.importsKindsOf?.includes(target) === true && to.startsWith(`${target}/api/`)) ||
    (isTest(from) && (layers[target]?.development === true || forTests.has(target)))
  );
}

/** Tests may import from every room of their package; package.json belongs to none. */
function pointsUp(layer: string, from: string, to: string): boolean {
  const rooms = layers[layer]?.rooms;
  if (rooms === undefined || isTest(from) || isTest(to) || !to.endsWith('.ts')) return false;
  return rooms.indexOf(roomOf(layer, to)) < rooms.indexOf(roomOf(layer, from));
}

/** Pairs of folders that import each other: they are one folder, or what both use belongs below them. */
export function mutualImports(all: readonly Import[]): string[] {
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
