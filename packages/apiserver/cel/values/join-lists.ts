// SPDX-License-Identifier: Apache-2.0
import { identityIn } from './equal.ts';
import { ListValue } from './list-value.ts';
import type { Meter } from './meter.ts';

/** Concatenates lists; sets are merged, and map lists replace items with the same key. */
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
