// SPDX-License-Identifier: Apache-2.0
import { basename, dirname, join } from 'node:path';
import { isTest, layerOf } from './imports.ts';
import { layers } from './layers.ts';
import { subjectProblem } from './subject.ts';

/** A folder with more source files than this holds more than one subject. */
const roomSize = 22;
/** Generated code, registers, and rooms of operators that grow with their steps. */
const mayBeOneFile = new Set(['generated', 'register', 'clients', 'objects']);

/** Rooms that are undeclared or missing; folders that are too large, too small or without a single subject. */
export function roomProblems(layer: string, files: readonly string[]): string[] {
  const { rooms } = layers[layer] ?? {};
  if (rooms === undefined) return [];
  const sources = files.filter((file) => layerOf(file) === layer && !isTest(file));
  const found = new Set(sources.map((file) => roomOf(layer, file)));
  const folders = Map.groupBy(sources, dirname);
  const inRooms = new Set([...rooms.map((room) => join(layer, room)), ...folders.keys()]);
  inRooms.delete(layer);
  return [
    ...[...found]
      .filter((room) => !rooms.includes(room))
      .map((room) => `${layer}/${room} is not declared in scripts/layers/layers.ts`),
    ...rooms.filter((room) => !found.has(room)).map((room) => `${layer}/${room} is declared but does not exist`),
    ...[...folders].flatMap(([folder, { length }]) =>
      length > roomSize ? [`${folder} has ${length} source files; ${roomSize} at most`] : [],
    ),
    ...[...inRooms].flatMap((folder) => subjectProblem(folder)),
    ...[...inRooms]
      .filter((folder) => folders.get(folder)?.length === 1 && !mayBeOneFile.has(basename(folder)))
      .map((folder) => `${folder} is one source file: move it to another room, or add what belongs to it`),
  ];
}

/** The room of a file: its folder, or the declared folder above it where rooms are nested. */
export function roomOf(layer: string, path: string): string {
  const folder = dirname(path).slice(layer.length + 1) || '.';
  const above = layers[layer]?.rooms?.find((room) => layers[layer]?.nested && folder.startsWith(`${room}/`));
  return above ?? folder;
}
