// SPDX-License-Identifier: Apache-2.0
import type { Result } from './value.ts';

/** The x-kubernetes-list-type, which decides equality and concatenation. */
export type ListKind =
  | { readonly type: 'atomic' }
  | { readonly type: 'set' }
  | { readonly type: 'map'; readonly keys: readonly string[] };

const atomic: ListKind = { type: 'atomic' };

/** A list; items are converted lazily, since rules often look at little of the data. */
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
