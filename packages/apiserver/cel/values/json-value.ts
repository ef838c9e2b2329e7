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
    return typeof key === 'string' && Object.hasOwn(this.#data, key) ? jsonValue(this.#data[key]) : undefined;
  }
}
