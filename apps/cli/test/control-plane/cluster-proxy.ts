// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { LocalCluster } from '../../up/local-cluster.ts';

/** An HTTP proxy on a loopback port, by which programs on the host can reach Services by name. */
export async function clusterProxy(dial: LocalCluster['dial']): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((incoming, outgoing) => {
    const { hostname, port, pathname, search } = new URL(incoming.url ?? '');
    const { method = 'GET', headers } = incoming;
    const forwarded = request(
      {
        method,
        path: `${pathname}${search}`,
        headers: { ...headers, connection: 'close' },
        createConnection: (_, connected) => {
          dial(hostname, Number(port)).then(
            (socket) => connected(null, socket as Socket),
            (error: unknown) => connected(error as Error, undefined as never),
          );
          return undefined;
        },
      },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      },
    );
    forwarded.on('error', (error) => outgoing.writeHead(502).end(error.message));
    incoming.pipe(forwarded);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
