// SPDX-License-Identifier: Apache-2.0
import type { Resource } from '../resources/resource.ts';

/** A function of the served resources that is computed once until a definition changes: clients ask for it often. */
export function derivedOnce<T>(derive: (resources: readonly Resource[]) => T): (resources: readonly Resource[]) => T {
  const known = new WeakMap<readonly Resource[], { value: T }>();
  return (resources) => {
    const derived = known.get(resources) ?? { value: derive(resources) };
    known.set(resources, derived);
    return derived.value;
  };
}

/** Items that can be read many times, also at the same time; each is made when the first reader gets there. */
export function repeatable<T>(items: Iterator<T>): () => Generator<T> {
  const made: T[] = [];
  return function* () {
    for (let at = 0; ; at += 1) {
      if (at === made.length) {
        const next = items.next();
        if (next.done === true) return;
        made.push(next.value);
      }
      yield made[at] as T;
    }
  };
}
