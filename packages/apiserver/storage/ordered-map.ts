// SPDX-License-Identifier: Apache-2.0

interface Leaf<V> {
  readonly keys: readonly string[];
  readonly values: readonly V[];
}

const leafSize = 64;

/**
 * An immutable map ordered by key. A changed copy shares all leaves but one with its original, so that keeping an old
 * state, or forking the whole store, costs nothing.
 */
export class OrderedMap<V> {
  readonly #leaves: readonly Leaf<V>[];

  private constructor(leaves: readonly Leaf<V>[]) {
    this.#leaves = leaves;
  }

  /** A map of entries already in ascending order of their keys. */
  static fromSorted<V>(entries: readonly (readonly [string, V])[]): OrderedMap<V> {
    const leaves: Leaf<V>[] = [];
    for (let start = 0; start < entries.length; start += leafSize) {
      const part = entries.slice(start, start + leafSize);
      leaves.push({ keys: part.map(([key]) => key), values: part.map(([, value]) => value) });
    }
    return new OrderedMap(leaves);
  }

  get(key: string): V | undefined {
    const leaf = this.#leaves[this.#leafFor(key)];
    if (leaf === undefined) return undefined;
    const index = lowerBound(leaf.keys, key);
    return leaf.keys[index] === key ? leaf.values[index] : undefined;
  }

  with(key: string, value: V): OrderedMap<V> {
    const at = this.#leafFor(key);
    const leaf = this.#leaves[at];
    if (leaf === undefined) return new OrderedMap([{ keys: [key], values: [value] }]);
    const index = lowerBound(leaf.keys, key);
    const replaced = leaf.keys[index] === key ? 1 : 0;
    const keys = leaf.keys.toSpliced(index, replaced, key);
    const values = leaf.values.toSpliced(index, replaced, value);
    return new OrderedMap(this.#leaves.toSpliced(at, 1, ...split({ keys, values })));
  }

  without(key: string): OrderedMap<V> {
    const at = this.#leafFor(key);
    const leaf = this.#leaves[at];
    const index = leaf === undefined ? -1 : lowerBound(leaf.keys, key);
    if (leaf?.keys[index] !== key) return this;
    const rest = { keys: leaf.keys.toSpliced(index, 1), values: leaf.values.toSpliced(index, 1) };
    return new OrderedMap(this.#leaves.toSpliced(at, 1, ...(rest.keys.length === 0 ? [] : [rest])));
  }

  /** The values whose keys begin with `prefix` and come after the key `after`, in order. */
  *withPrefix(prefix: string, after?: string): Generator<V> {
    const from = after === undefined || after < prefix ? prefix : after;
    let at = this.#leafFor(from);
    for (let leaf = this.#leaves[at]; leaf !== undefined; leaf = this.#leaves[++at]) {
      for (let index = lowerBound(leaf.keys, from); index < leaf.keys.length; index += 1) {
        const key = leaf.keys[index] as string;
        if (!key.startsWith(prefix)) return;
        if (key !== after) yield leaf.values[index] as V;
      }
    }
  }

  /** The leaf that holds the key, or would. */
  #leafFor(key: string): number {
    let low = 0;
    let high = this.#leaves.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#leaves[middle]?.keys[0] as string) <= key) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}

function split<V>(leaf: Leaf<V>): Leaf<V>[] {
  if (leaf.keys.length <= leafSize) return [leaf];
  const half = leafSize >>> 1;
  return [
    { keys: leaf.keys.slice(0, half), values: leaf.values.slice(0, half) },
    { keys: leaf.keys.slice(half), values: leaf.values.slice(half) },
  ];
}

function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as string) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
