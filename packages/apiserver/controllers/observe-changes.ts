// SPDX-License-Identifier: Apache-2.0
import type { ServerContext } from '../context/server-context.ts';
import type { Change } from '../storage/store.ts';

/**
 * Calls back for every change of the store from now on, in order and once, as soon as it is safe from a crash. What the
 * callback throws is logged: neither the writer nor other followers are to suffer from it.
 */
export function observeChanges(
  { store, log }: Pick<ServerContext, 'store' | 'log'>,
  onChange: (change: Change) => void,
): () => void {
  let position = store.published;
  return store.subscribe('', () => {
    for (let change = store.change(position + 1); change !== undefined; change = store.change(position + 1)) {
      position = change.revision;
      try {
        onChange(change);
      } catch (error) {
        log.error('a controller of the API server failed on a change', { key: change.object.key, error });
      }
    }
  });
}
