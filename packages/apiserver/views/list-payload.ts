// SPDX-License-Identifier: Apache-2.0
import { lazyPayload, type Payload } from '../request/payload.ts';

/** What a list says of itself. */
export interface ListMeta {
  resourceVersion: string;
  continue?: string;
  remainingItemCount?: number;
}

/** How something looks as an item of a list. */
interface Faces<T> {
  value: (item: T) => unknown;
  bytes: (item: T) => Uint8Array;
  /** What the bytes of every item lack at their beginning. */
  opening?: string;
}

/** As many items, and bytes, as are encoded at a stretch: few enough to keep nobody waiting. */
const pieceItems = 500;
const pieceBytes = 256 * 1024;
/** As many items as are put together in one go: to copy few is cheaper than to send each for itself. */
const few = 50;

/** A list around its items, which are looked at only when it is; a long one is sent in pieces, its items as they are kept. */
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
