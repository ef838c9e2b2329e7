// SPDX-License-Identifier: Apache-2.0
// The doors of a package are the entries of `exports` in its package.json.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { isTest, layerOf, type Import } from './imports.ts';
import { layers } from './layers.ts';

/** Imports past the doors of a package, and doors that nobody needs. */
export function doorProblems(imports: readonly Import[]): string[] {
  const outside = imports.filter(({ from, to }) => layerOf(from) !== layerOf(to));
  const past = outside.filter(
    ({ specifier, to }) => specifier.startsWith('.') && existsSync(`${layerOf(to)}/package.json`),
  );
  return [
    ...past.map(({ from, to }) => `${from} imports ${to} by a relative path: use the name of its package`),
    ...Object.keys(layers).flatMap((layer) => staleDoors(layer, new Set(outside.map(({ to }) => to)))),
  ];
}

function staleDoors(layer: string, used: ReadonlySet<string>): string[] {
  if (!existsSync(`${layer}/package.json`)) return [];
  const { exports = {} } = JSON.parse(readFileSync(`${layer}/package.json`, 'utf8')) as { exports?: object };
  const doors = Object.keys(exports)
    .map((entry) => entry.slice('./'.length))
    // Programs and manifests are found by names that are computed.
    .filter((door) => /\.(ts|json)$/.test(door));
  return doors.flatMap((door) => {
    const others = doors.filter((other) => other !== door && other.length > door.length);
    const through = [...used].filter(
      (file) => isBehind(file, layer, door) && !others.some((other) => isBehind(file, layer, other)),
    );
    if (through.length === 0) return [`${layer}/package.json exports ${door}, which no other package imports`];
    return isTooWide(layer, door, through.length)
      ? [`${layer}/package.json exports ${door}, but others import only ${through.join(', ')}: name what they need`]
      : [];
  });
}

/** Whether a door opens a whole room of which others need one file, or less than half. What tests share may be open. */
function isTooWide(layer: string, door: string, imported: number): boolean {
  if (!door.includes('*') || !door.endsWith('.ts') || isTest(`/${door}`)) return false;
  const room = globSync(`${layer}/${door.replace('*', '**/*')}`).filter((file) => !isTest(file));
  return imported === 1 || imported * 2 < room.length;
}

/** `*` stands for any part of a path, as in Node. */
function isBehind(file: string, layer: string, door: string): boolean {
  return matchesGlob(file, `${layer}/${door.replace('*', '**/*')}`) || file === `${layer}/${door}`;
}
