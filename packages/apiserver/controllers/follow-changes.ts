// SPDX-License-Identifier: Apache-2.0
import type { Change, Store } from '../storage/store.ts';

/** Calls back for every change of the store from now on, in order and once, as soon as it is safe from a crash. */
export function followChanges(store: Store, onChange: (change: Change) => void): () => void {
  let position = store.published;
  return store.subscribe('', () => {
    for (let change = store.change(position + 1); change !== undefined; change = store.change(position + 1)) {
      position = change.revision;
      onChange(change);
    }
  });
}
