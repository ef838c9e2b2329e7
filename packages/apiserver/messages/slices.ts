// SPDX-License-Identifier: Apache-2.0
import { setImmediate } from 'node:timers/promises';

/** Items, and bytes of them, that are handled in one turn of the event loop; no time, so that runs are deterministic. */
const mostItems = 500;
const mostBytes = 256 * 1024;

/** Counts the work of one turn of the event loop. */
export class Slice {
  #items = 0;
  #bytes = 0;

  /** Counts an item; returns true when it fills the slice, and begins the next one: let others be served in between. */
  isFilledBy(bytes: number): boolean {
    this.#items += 1;
    this.#bytes += bytes;
    if (this.#items < mostItems && this.#bytes < mostBytes) return false;
    this.#items = 0;
    this.#bytes = 0;
    return true;
  }
}

/** The items in slices; what the iterable computes for an item is part of its slice. */
export function* slicesOf<T>(items: Iterable<T>, bytesOf: (item: T) => number): Generator<T[]> {
  const slice = new Slice();
  let part: T[] = [];
  for (const item of items) {
    part.push(item);
    if (!slice.isFilledBy(bytesOf(item))) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

/** The items in slices; others are served between two of them. */
export async function* inSlices<T>(items: Iterable<T>, bytesOf: (item: T) => number): AsyncGenerator<T[]> {
  const slice = new Slice();
  let part: T[] = [];
  let isFull = false;
  for (const item of items) {
    if (isFull) {
      yield part;
      part = [];
      await setImmediate();
    }
    part.push(item);
    isFull = slice.isFilledBy(bytesOf(item));
  }
  yield part;
}
