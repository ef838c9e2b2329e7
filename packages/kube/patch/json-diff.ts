// SPDX-License-Identifier: Apache-2.0
import { isObject, jsonEqual } from '../objects/json.ts';

/** A JSON patch operation of a diff. */
export type DiffOperation = { op: 'add' | 'replace'; path: string; value: unknown } | { op: 'remove'; path: string };

/** The JSON patch from one document to the other; a list that differs is replaced as a whole. */
export function jsonDiff(before: unknown, after: unknown, path = ''): DiffOperation[] {
  if (jsonEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ op: 'replace', path, value: after }];
  const at = (key: string) => `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  return [
    ...removed.map((key) => ({ op: 'remove' as const, path: at(key) })),
    ...Object.keys(after).flatMap((key): DiffOperation[] =>
      Object.hasOwn(before, key)
        ? jsonDiff(before[key], after[key], at(key))
        : [{ op: 'add', path: at(key), value: after[key] }],
    ),
  ];
}
