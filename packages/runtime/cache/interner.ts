// SPDX-License-Identifier: Apache-2.0

/** Makes equal parts of the objects of one kind share memory. */
export interface Interner {
  /** Replaces the parts of a JSON object by equal ones that earlier objects had at the same path. */
  readonly internParts: (object: object) => void;
}

/** What has been seen at one path, such as `spec.template.spec.containers[0].image`. */
interface PathValues {
  readonly recent: unknown[];
  below?: Map<string | number, PathValues>;
  /** How many values in a row had nothing in common with earlier ones, neither here nor below. */
  inVain: number;
}

/** How many alternatives are kept for each path: an operator makes a few variants of a kind, such as its Jobs. */
const alternatives = 8;
/** After this many values in a row without a match, their path is no longer compared: uids never match. */
const patience = 256;
/** The parser shares shorter strings itself; longer ones would be kept for long after their objects are deleted. */
const [shortest, longest] = [11, 2048];

/**
 * An empty interner. It remembers at most this many paths, and a bounded number of values for each, so that it need
 * not know what is deleted.
 *
 * Why: the objects that an operator creates for its resources differ only in a few names, but the JSON parser returns new
 * strings and objects every time.
 */
export function interner(maxPaths = 2048): Interner {
  const root = emptyPath();
  let paths = 1;
  /** How many parts were replaced by known ones, and how many were not, so far. */
  let [replaced, kept] = [0, 0];

  function childOf(parent: PathValues, key: string | number): PathValues | undefined {
    const known = parent.below?.get(key);
    if (known !== undefined || paths >= maxPaths) return known;
    const fresh = emptyPath();
    (parent.below ??= new Map()).set(key, fresh);
    paths += 1;
    return fresh;
  }

  function internAt(path: PathValues, value: string | object): unknown {
    const replacedBefore = replaced;
    const known = internWithParts(path, value);
    if (known === undefined) kept += 1;
    else replaced += 1;
    path.inVain = replaced === replacedBefore ? path.inVain + 1 : 0;
    if (path.inVain === patience) path.recent.length = 0;
    return known ?? value;
  }

  /** The equal value that was seen before, if there is one; otherwise the parts of this one are interned. */
  function internWithParts(path: PathValues, value: string | object): unknown {
    if (typeof value === 'string') return knownAt(path, value, isSame);
    const keptBefore = kept;
    if (Array.isArray(value)) {
      const items: unknown[] = value;
      for (let index = 0; index < items.length; index += 1) replaceChild(path, items, index);
    } else internFields(path, value);
    // A value with a part that was never seen cannot have been seen itself.
    if (kept !== keptBefore) return remember(path, value);
    return Array.isArray(value) ? knownAt(path, value, haveSameItems) : knownAt(path, value, haveSameFields);
  }

  function internFields(path: PathValues, object: object): void {
    for (const key in object) replaceChild(path, object as Record<string, unknown>, key);
  }

  function replaceChild<K extends string | number>(path: PathValues, parent: Record<K, unknown>, key: K): void {
    const value = parent[key];
    if (!isInternable(value)) return;
    const child = childOf(path, key);
    if (child === undefined || child.inVain >= patience) kept += 1;
    // Always replaced: equal strings cannot be told apart.
    else parent[key] = internAt(child, value);
  }

  return { internParts: (object) => internFields(root, object) };
}

function emptyPath(): PathValues {
  return { recent: [], inVain: 0 };
}

function isInternable(value: unknown): value is string | object {
  if (typeof value === 'string') return value.length >= shortest && value.length <= longest;
  // What is frozen is shared already: an API server in this process returns what it stores.
  return typeof value === 'object' && value !== null && !Object.isFrozen(value);
}

/** The equal value that was seen before; what is found often is replaced last. */
function knownAt<T>(path: PathValues, value: T, equal: (one: T, other: T) => boolean): T | undefined {
  const { recent } = path;
  for (let index = 0; index < recent.length; index += 1) {
    const known = recent[index] as T;
    if (typeof known !== typeof value || !equal(known, value)) continue;
    if (index > 0) {
      recent[index] = recent[index - 1];
      recent[index - 1] = known;
    }
    return known;
  }
  return remember(path, value);
}

function remember({ recent }: PathValues, value: unknown): undefined {
  recent[Math.min(recent.length, alternatives - 1)] = value;
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other;
}

// The parts have been interned before: equal ones are mostly the same.
function haveSameItems(one: unknown, other: readonly unknown[]): boolean {
  return Array.isArray(one) && one.length === other.length && other.every((item, index) => item === one[index]);
}

function haveSameFields(one: object, other: object): boolean {
  if (Array.isArray(one)) return false;
  const keys = Object.keys(other);
  const known = Object.keys(one);
  // The order must match as well, so that the object is encoded as the same text.
  return (
    keys.length === known.length &&
    keys.every(
      (key, index) =>
        key === known[index] && (one as Record<string, unknown>)[key] === (other as Record<string, unknown>)[key],
    )
  );
}
