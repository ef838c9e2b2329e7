// SPDX-License-Identifier: Apache-2.0
import { lazyPayload, type Payload } from '../request/payload.ts';

/** Metadata of a list. */
export interface ListMeta {
  resourceVersion: string;
  continue?: string;
  remainingItemCount?: number;
}

/** How an item is converted and encoded. */
interface Faces<T> {
  value: (item: T) => unknown;
  bytes: (item: T) => Uint8Array;
  /** Prefix that the bytes of every item lack. */
  opening?: string;
}

/** Items and bytes per chunk: few enough not to block others. */
const pieceItems = 500;
const pieceBytes = 256 * 1024;
/** Lists up to this size are concatenated: copying few items is cheaper than sending each. */
const few = 50;

/** A lazily encoded list; a long one is sent in chunks of its items' stored bytes. */
export function listPayload<T>(head: object, items: readonly T[], { value, bytes, opening = '' }: Faces<T>): Payload {
  function* pieces(): Generator<Uint8Array[]> {
    const border = Buffer.from(`,${opening}`);
    const start = `${JSON.stringify(head).slice(0, -1)},"items":[`;
    let parts: Uint8Array[] = [Buffer.from(items.length === 0 ? start : start + opening)];
    let size = 0;
    for (const [index, item] of items.entries()) {
      if (parts.length >= 2 * pieceItems || size >= pieceBytes) {
        yield parts;
        parts = [];
        size = 0;
      }
      if (index > 0) parts.push(border);
      const encoded = bytes(item);
      parts.push(encoded);
      size += encoded.length;
    }
    parts.push(listEnd);
    yield parts;
  }

  return lazyPayload(
    () => ({ ...head, items: items.map(value) }),
    () => Buffer.concat([...pieces()].flat()),
    items.length > few ? pieces : undefined,
  );
}

const listEnd = Buffer.from(']}');
