// SPDX-License-Identifier: Apache-2.0
import { Uint, type Result, type Value } from './value.ts';

/** A map, or an object of the data: both are looked into by key. */
export abstract class MapValue {
  readonly kind = 'map';
  /** As the cost counts it and `size()` gives it. */
  abstract readonly size: number;
  /** The keys to walk over. */
  abstract readonly keys: readonly Value[];
  /** What stands under the key; undefined when nothing does. */
  abstract find(key: Value): Result | undefined;
}

type Identity = string | boolean | bigint;

/** A map made by an expression. */
export class EntryMap extends MapValue {
  readonly #entries = new Map<Identity, { key: Value; value: Result }>();

  get size(): number {
    return this.#entries.size;
  }

  get keys(): readonly Value[] {
    return [...this.#entries.values()].map(({ key }) => key);
  }

  find(key: Value): Result | undefined {
    const identity = identityOf(key);
    return identity === undefined ? undefined : this.#entries.get(identity)?.value;
  }

  /** Adds an entry; false when the key is there already, undefined when it can be none. */
  insert(key: Value, value: Result): boolean | undefined {
    const identity = identityOf(key);
    if (identity === undefined) return undefined;
    if (this.#entries.has(identity)) return false;
    this.#entries.set(identity, { key, value });
    return true;
  }
}

/** Numbers are one key however they are typed. */
function identityOf(key: Value): Identity | undefined {
  if (typeof key === 'string' || typeof key === 'boolean' || typeof key === 'bigint') return key;
  if (key instanceof Uint) return key.value;
  return typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : undefined;
}
