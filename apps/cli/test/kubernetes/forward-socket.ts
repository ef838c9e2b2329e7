// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { pipeSockets } from '@forge/cluster/node/network/pipe-sockets.ts';

/** Forwards connections on a Unix socket to those that `open` creates. */
export async function forwardSocket(path: string, open: () => Socket): Promise<AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const target = open();
    for (const each of [client, target]) sockets.add(each.once('close', () => sockets.delete(each)));
    pipeSockets(client, target);
  });
  await once(server.listen(path), 'listening');
  return {
    async [Symbol.asyncDispose]() {
      server.close();
      for (const each of sockets) each.destroy();
    },
  };
}
