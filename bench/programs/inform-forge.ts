// SPDX-License-Identifier: Apache-2.0
import { client } from '@forge/kube/client/client.ts';
import { httpsTransport } from '@forge/kube/client/https-transport.ts';
import { ConfigMap, Namespace } from '@forge/kube/kinds/builtin.ts';
import { sharedCache } from '@forge/runtime/cache/cache.ts';
import { systemClock } from '@forge/runtime/environment/clock.ts';
import { systemRandom } from '@forge/runtime/environment/random.ts';
import { logger } from '@forge/runtime/observability/logger.ts';
import type { ClientTls } from '../harness/server-process.ts';
import type { Inform } from './inform.ts';

/** The cache of Forge's controllers. */
export async function informForge(server: string, tls: ClientTls, metadataOnly: boolean): Promise<Inform> {
  const api = client(httpsTransport({ server, ...tls }));
  await api.get(Namespace, { name: 'default' });
  const cache = sharedCache({
    client: api,
    clock: systemClock,
    random: systemRandom,
    log: logger({ clock: systemClock, write: (entry) => console.error(entry) }),
    fieldManagers: new Set(),
  });
  return async (onChange) => {
    const store = cache.open({ ...ConfigMap, confidential: metadataOnly }, { isRead: () => false });
    await cache.start(new AbortController().signal);
    store.onChange(onChange);
  };
}
