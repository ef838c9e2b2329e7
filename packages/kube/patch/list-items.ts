// SPDX-License-Identifier: Apache-2.0
import { isObject, fieldOf } from '../objects/json.ts';
import type { Shape } from '../schema/shape.ts';

/** The edge of a list item in a field set. */
export function edgeOf(item: unknown, { itemKeys, items }: Shape): string {
  if (itemKeys === undefined) return `v:${JSON.stringify(item)}`;
  let keys = '';
  for (const key of itemKeys) {
    const value = keyOf(item, key, items);
    if (value !== undefined) keys += `${keys === '' ? '' : ','}"${key}":${JSON.stringify(value)}`;
  }
  return `k:{${keys}}`;
}

/** The items of a granular list by edge, in list order; several items when a key is duplicated. */
export function itemsByEdge(list: readonly unknown[], shape: Shape): Map<string, [unknown, ...unknown[]]> {
  const items = new Map<string, [unknown, ...unknown[]]>();
  for (const item of list) {
    const edge = edgeOf(item, shape);
    const known = items.get(edge);
    if (known === undefined) items.set(edge, [item]);
    else known.push(item);
  }
  return items;
}

/** Whether both lists have the same keys in the same order. */
export function haveSameKeys(a: readonly unknown[], b: readonly unknown[], { itemKeys, items }: Shape): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) {
    const [left, right] = [a[index], b[index]];
    if (left === right) continue;
    if (itemKeys?.every((key) => keyOf(left, key, items) === keyOf(right, key, items)) !== true) return false;
  }
  return true;
}

function keyOf(item: unknown, key: string, items: Shape): unknown {
  return (isObject(item) ? fieldOf(item, key) : undefined) ?? items.field(key)?.shape.schema.default;
}
