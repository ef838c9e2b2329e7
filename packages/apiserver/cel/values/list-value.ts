// SPDX-License-Identifier: Apache-2.0
import type { Result } from './value.ts';

/** How a list compares and joins: in order, or, as Kubernetes' list types say, as a set or by its items' keys. */
export type ListKind =
  | { readonly type: 'atomic' }
  | { readonly type: 'set' }
  | { readonly type: 'map'; readonly keys: readonly string[] };

const atomic: ListKind = { type: 'atomic' };

/** A list; its items are read when they are asked for, since data is often large and rules look at little of it. */
export class ListValue {
  readonly kind = 'list';
  readonly size: number;
  readonly listKind: ListKind;
  readonly #read: (index: number) => Result;
  #items: readonly Result[] | undefined;

  private constructor(size: number, read: (index: number) => Result, listKind: ListKind) {
    this.size = size;
    this.#read = read;
    this.listKind = listKind;
  }

  static of(items: readonly Result[], listKind = atomic): ListValue {
    const list = new ListValue(items.length, () => null, listKind);
    list.#items = items;
    return list;
  }

  static lazy(size: number, read: (index: number) => Result, listKind: ListKind): ListValue {
    return new ListValue(size, read, listKind);
  }

  get items(): readonly Result[] {
    return (this.#items ??= Array.from({ length: this.size }, (_, index) => this.#read(index)));
  }
}
