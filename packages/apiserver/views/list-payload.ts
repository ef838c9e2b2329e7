// SPDX-License-Identifier: Apache-2.0
import { lazyPayload, type Payload } from '../messages/payload.ts';
import { slicesOf } from '../messages/slices.ts';

/** Metadata of a list. */
export interface ListMeta {
  resourceVersion: string;
  continue?: string;
  remainingItemCount?: number;
}

/** How an item is converted and encoded. */
interface ItemEncoder<T> {
  value: (item: T) => unknown;
  bytes: (item: T) => Uint8Array;
  /** Prefix to add before the bytes of every item. */
  opening?: string;
  /** The field of the items; `items` unless given. */
  field?: string;
}

/** A lazily encoded list; a long one is sent in chunks of its items' stored bytes. */
export function listPayload<T>(
  head: object,
  items: Iterable<T>,
  { value, bytes, opening = '', field = 'items' }: ItemEncoder<T>,
): Payload {
  function* parts(): Generator<Uint8Array> {
    const start = `${JSON.stringify(head).slice(0, -1)},"${field}":[`;
    const border = Buffer.from(`,${opening}`);
    let isFirst = true;
    for (const item of items) {
      yield isFirst ? Buffer.from(start + opening) : border;
      yield bytes(item);
      isFirst = false;
    }
    yield isFirst ? Buffer.from(`${start}]}`) : listEnd;
  }

  return lazyPayload(
    () => ({ ...head, [field]: Array.from(items, value) }),
    () => Buffer.concat([...parts()]),
    { pieces: () => slicesOf(parts(), ({ length }) => length), list: { head, field, items: mapped(items, value) } },
  );
}

const listEnd = Buffer.from(']}');

/** The items converted by a function, each time that they are iterated. */
export function mapped<T, U>(items: Iterable<T>, convert: (item: T) => U): Iterable<U> {
  return {
    *[Symbol.iterator]() {
      for (const item of items) yield convert(item);
    },
  };
}
