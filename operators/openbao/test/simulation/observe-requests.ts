// SPDX-License-Identifier: Apache-2.0
import type { Servers } from './stored-data.ts';

type Observer = Servers['onRequest'];

/** Calls this with each request that reaches a server, too. */
export function observeRequests(servers: Servers, observer: Observer): void {
  const { onRequest } = servers;
  servers.onRequest = (...request) => {
    onRequest(...request);
    observer(...request);
  };
}
