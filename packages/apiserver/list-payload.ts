// SPDX-License-Identifier: Apache-2.0
import { lazyPayload, type Payload } from './payload.ts';

/** What a list says of itself. */
export interface ListMeta {
  resourceVersion: string;
  continue?: string;
  remainingItemCount?: number;
}

/** How something looks as an item of a list. */
interface Faces<T> {
  value: (item: T) => unknown;
  /** The pieces its bytes are made of. */
  bytes: (item: T) => readonly Uint8Array[];
}

/** As many items as are encoded at a stretch: few enough to keep nobody waiting. */
const pieceSize = 500;

/** A list around its items, which are looked at only when it is; a long one can be sent in pieces. */
export function listPayload<T>(
  head: object,
  field: 'items' | 'rows',
  items: readonly T[],
  { value, bytes }: Faces<T>,
): Payload {
  const isLong = items.length > pieceSize;

  function piece(start: number): Uint8Array {
    const parts = items.slice(start, start + pieceSize).flatMap((item) => [comma, ...bytes(item)]);
    if (start === 0) parts.splice(0, 1, Buffer.from(`${JSON.stringify(head).slice(0, -1)},"${field}":[`));
    if (start + pieceSize >= items.length) parts.push(listEnd);
    return Buffer.concat(parts);
  }

  function* pieces(): Generator<Uint8Array> {
    for (let start = 0; start < items.length; start += pieceSize) yield piece(start);
  }

  return lazyPayload(
    () => ({ ...head, [field]: items.map(value) }),
    () => (isLong ? Buffer.concat([...pieces()]) : piece(0)),
    isLong ? pieces : undefined,
  );
}

const comma = Buffer.from(',');
const listEnd = Buffer.from(']}');
