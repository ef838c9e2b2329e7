// SPDX-License-Identifier: Apache-2.0
import { Uint, type Result, type Value } from './value.ts';

/** A map or data object. */
export abstract class MapValue {
  readonly kind = 'map';
  /** Its size. */
  abstract readonly size: number;
  /** Its keys. */
  abstract readonly keys: readonly Value[];
  /** The value of a key; undefined when it is absent. */
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

  /** Adds an entry; false for a duplicate key, undefined for an invalid one. */
  insert(key: Value, value: Result): boolean | undefined {
    const identity = identityOf(key);
    if (identity === undefined) return undefined;
    if (this.#entries.has(identity)) return false;
    this.#entries.set(identity, { key, value });
    return true;
  }
}

/** Equal numbers of different types are the same key. */
function identityOf(key: Value): Identity | undefined {
  if (typeof key === 'string' || typeof key === 'boolean' || typeof key === 'bigint') return key;
  if (key instanceof Uint) return key.value;
  return typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : undefined;
}
