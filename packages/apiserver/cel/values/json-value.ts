// SPDX-License-Identifier: Apache-2.0
import { isObject, type JsonObject } from '@forge/kube/objects/json.ts';
import { ListValue } from './list-value.ts';
import { MapValue } from './map-value.ts';
import type { Value } from './value.ts';

/** JSON as CEL values without a schema: whole numbers are integers. */
export function jsonValue(data: unknown): Value {
  if (typeof data === 'number') return Number.isInteger(data) ? BigInt(data) : data;
  if (typeof data === 'string' || typeof data === 'boolean') return data;
  if (Array.isArray(data)) return ListValue.lazy(data.length, (index) => jsonValue(data[index]), { type: 'atomic' });
  return isObject(data) ? new JsonMap(data) : null;
}

class JsonMap extends MapValue {
  readonly #data: JsonObject;
  /** What was last found: expressions read the same few fields again and again. */
  #found: { readonly key: string; readonly value: Value } | undefined;

  constructor(data: JsonObject) {
    super();
    this.#data = data;
  }

  get size(): number {
    return this.keys.length;
  }

  get keys(): readonly Value[] {
    return Object.keys(this.#data);
  }

  find(key: Value): Value | undefined {
    if (this.#found !== undefined && this.#found.key === key) return this.#found.value;
    if (typeof key !== 'string' || !Object.hasOwn(this.#data, key)) return undefined;
    const value = jsonValue(this.#data[key]);
    this.#found = { key, value };
    return value;
  }
}
