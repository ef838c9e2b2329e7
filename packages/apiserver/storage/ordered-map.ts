// SPDX-License-Identifier: Apache-2.0

interface Leaf<V> {
  readonly keys: readonly string[];
  readonly values: readonly V[];
}

interface Branch<V> {
  /** The smallest key below each child. */
  readonly keys: readonly string[];
  readonly children: readonly Node<V>[];
  readonly size: number;
}

type Node<V> = Leaf<V> | Branch<V>;

const width = 16;

/**
 * An immutable map ordered by key: a persistent B+ tree. A changed copy shares all nodes but those on one path, so
 * keeping an old state or forking the store is cheap at any size.
 */
export class OrderedMap<V> {
  readonly #root: Node<V>;

  private constructor(root: Node<V>) {
    this.#root = root;
  }

  /** A map of entries that are already sorted by key. */
  static fromSorted<V>(entries: readonly (readonly [string, V])[]): OrderedMap<V> {
    let level: Node<V>[] = inGroups(entries).map((group) => ({
      keys: group.map(([key]) => key),
      values: group.map(([, value]) => value),
    }));
    while (level.length > 1) level = inGroups(level).map(branchOf);
    return new OrderedMap(level[0] ?? { keys: [], values: [] });
  }

  get size(): number {
    return sizeOf(this.#root);
  }

  get(key: string): V | undefined {
    let node = this.#root;
    while ('children' in node) node = node.children[childFor(node, key)] as Node<V>;
    const index = lowerBound(node.keys, key);
    return node.keys[index] === key ? node.values[index] : undefined;
  }

  with(key: string, value: V): OrderedMap<V> {
    const [root, second] = put(this.#root, key, value);
    return new OrderedMap(second === undefined ? root : branchOf([root, second]));
  }

  without(key: string): OrderedMap<V> {
    let root = drop(this.#root, key);
    if (root === this.#root) return this;
    while ('children' in root && root.children.length < 2) root = root.children[0] ?? { keys: [], values: [] };
    return new OrderedMap(root);
  }

  /** The values whose keys start with `prefix`, in order, starting at the key `from`. */
  *withPrefix(prefix: string, from = prefix): Generator<V> {
    const first = from < prefix ? prefix : from;
    for (const { keys, values } of leavesFrom(this.#root, first)) {
      for (let index = lowerBound(keys, first); index < keys.length; index += 1) {
        if (!(keys[index] as string).startsWith(prefix)) return;
        yield values[index] as V;
      }
    }
  }

  /** Counts the keys that start with `prefix`, from the key `from` on, without iterating over them. */
  count(prefix: string, from = prefix): number {
    // No key contains \uffff, so this sorts after every key with the prefix.
    const end = rankOf(this.#root, `${prefix}\uffff`);
    return Math.max(0, end - rankOf(this.#root, from < prefix ? prefix : from));
  }
}

/** The node with the entry added; two nodes when it had to be split. */
function put<V>(node: Node<V>, key: string, value: V): [Node<V>, Node<V>?] {
  if ('children' in node) {
    const at = childFor(node, key);
    const child = node.children[at] as Node<V>;
    const [changed, second] = put(child, key, value);
    if (second === undefined && changed.keys[0] === node.keys[at]) {
      const size = node.size - sizeOf(child) + sizeOf(changed);
      return [{ keys: node.keys, children: node.children.with(at, changed), size }];
    }
    const children = node.children.toSpliced(at, 1, ...(second === undefined ? [changed] : [changed, second]));
    if (children.length <= width) return [branchOf(children)];
    return [branchOf(children.slice(0, width >>> 1)), branchOf(children.slice(width >>> 1))];
  }
  const index = lowerBound(node.keys, key);
  const replaced = node.keys[index] === key ? 1 : 0;
  const keys = replaced === 1 ? node.keys : node.keys.toSpliced(index, 0, key);
  const values = node.values.toSpliced(index, replaced, value);
  if (keys.length <= width) return [{ keys, values }];
  const half = width >>> 1;
  return [
    { keys: keys.slice(0, half), values: values.slice(0, half) },
    { keys: keys.slice(half), values: values.slice(half) },
  ];
}

/** The node without the key; itself when the key is absent. Sparse nodes are not merged, only empty ones are removed. */
function drop<V>(node: Node<V>, key: string): Node<V> {
  if ('children' in node) {
    const at = childFor(node, key);
    const child = node.children[at] as Node<V>;
    const rest = drop(child, key);
    if (rest === child) return node;
    return branchOf(node.children.toSpliced(at, 1, ...(rest.keys.length === 0 ? [] : [rest])));
  }
  const index = lowerBound(node.keys, key);
  if (node.keys[index] !== key) return node;
  return { keys: node.keys.toSpliced(index, 1), values: node.values.toSpliced(index, 1) };
}

function branchOf<V>(children: readonly Node<V>[]): Branch<V> {
  let size = 0;
  for (const child of children) size += sizeOf(child);
  return { keys: children.map(({ keys }) => keys[0] as string), children, size };
}

function sizeOf<V>(node: Node<V>): number {
  return 'children' in node ? node.size : node.keys.length;
}

function* leavesFrom<V>(node: Node<V>, key: string): Generator<Leaf<V>> {
  if (!('children' in node)) yield node;
  else
    for (let at = childFor(node, key); at < node.children.length; at += 1)
      yield* leavesFrom(node.children[at] as Node<V>, key);
}

/** The number of smaller keys. */
function rankOf<V>(node: Node<V>, key: string): number {
  if (!('children' in node)) return lowerBound(node.keys, key);
  const at = childFor(node, key);
  let rank = rankOf(node.children[at] as Node<V>, key);
  for (let before = 0; before < at; before += 1) rank += sizeOf(node.children[before] as Node<V>);
  return rank;
}

/** The child that contains the key, or would contain it. */
function childFor<V>({ keys }: Branch<V>, key: string): number {
  const at = lowerBound(keys, key);
  return keys[at] === key ? at : Math.max(0, at - 1);
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

function inGroups<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / width) }, (_, at) => items.slice(at * width, (at + 1) * width));
}
