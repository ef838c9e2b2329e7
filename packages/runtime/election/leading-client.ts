// SPDX-License-Identifier: Apache-2.0
import type { Client } from '@forge/kube/client/client.ts';
import type { Election } from './leader-election.ts';

/** A client that writes only while this process leads: no write starts afterwards, and those in flight are aborted. */
export function leadingClient(client: Client, election: Pick<Election, 'check' | 'lost'>): Client {
  /** The options of a write that checks leadership now and again when the connection is open, which may take a while. */
  function whileLeading<O extends { signal?: AbortSignal }>(
    options?: O,
  ): O & { signal: AbortSignal; beforeSending: () => void } {
    election.check();
    const late = new AbortController();
    const signals = [late.signal, election.lost, ...(options?.signal === undefined ? [] : [options.signal])];
    const beforeSending = () => {
      try {
        election.check();
      } catch (error) {
        late.abort(error);
      }
    };
    return { ...(options as O), signal: AbortSignal.any(signals), beforeSending };
  }

  return {
    ...client,
    create: async (kind, object, options) => await client.create(kind, object, whileLeading(options)),
    update: async (kind, object, options) => await client.update(kind, object, whileLeading(options)),
    patch: async (kind, ref, type, patch, options) => await client.patch(kind, ref, type, patch, whileLeading(options)),
    apply: async (kind, object, options) => await client.apply(kind, object, whileLeading(options)),
    delete: async (kind, ref, options) => await client.delete(kind, ref, whileLeading(options)),
    deleteAll: async (kind, selection, options) => {
      await client.deleteAll(kind, selection, whileLeading(options));
    },
  };
}
