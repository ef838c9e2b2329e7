// SPDX-License-Identifier: Apache-2.0
import { identityIn } from './equal.ts';
import { ListValue } from './list-value.ts';
import type { Meter } from './meter.ts';

/** One list after the other; a set takes up what is new to it, and in a list with keys what has a known key replaces. */
export function joinLists(left: ListValue, right: ListValue, meter: Meter): ListValue {
  meter.work((left.size + right.size) / 5);
  if (left.listKind.type === 'atomic') return ListValue.of([...left.items, ...right.items]);
  meter.work((left.size + right.size) * 5);
  const joined = new Map(left.items.map((item) => [identityIn(left, item), item]));
  for (const item of right.items) {
    const identity = identityIn(left, item);
    if (left.listKind.type === 'map' || !joined.has(identity)) joined.set(identity, item);
  }
  return ListValue.of([...joined.values()], left.listKind);
}
