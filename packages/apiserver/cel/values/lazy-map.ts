// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from '@forge/kube/objects/json.ts';
import { jsonValue } from './json-value.ts';
import { MapValue } from './map-value.ts';
import type { Result, Value } from './value.ts';

/** A JSON object that is made when an expression first reads it. */
export class LazyMap extends MapValue {
  readonly #make: () => JsonObject;
  #made: MapValue | undefined;

  constructor(make: () => JsonObject) {
    super();
    this.#make = make;
  }

  get size(): number {
    return this.#map.size;
  }

  get keys(): readonly Value[] {
    return this.#map.keys;
  }

  find(key: Value): Result | undefined {
    return this.#map.find(key);
  }

  get #map(): MapValue {
    return (this.#made ??= jsonValue(this.#make()) as MapValue);
  }
}
