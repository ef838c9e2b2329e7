// SPDX-License-Identifier: Apache-2.0
import type { ServerContext } from '../request/server-context.ts';
import type { Change } from '../storage/store.ts';

/**
 * Calls back for every durable change of the store from now on, in order and once. Errors in the callback are logged,
 * so that they affect neither the writer nor other observers.
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
        log.error('API server controller failed to process a change', { key: change.object.key, error });
      }
    }
  });
}
