// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { Socket } from 'node:net';

/** Returns a function that waits for responses in progress, then closes every connection. */
export function gracefulShutdown(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>();
  const answers = new Set<ServerResponse>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (_, response: ServerResponse) => {
    answers.add(response);
    response.once('close', () => answers.delete(response));
  });
  return async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    await Promise.all([...answers].map((response) => once(response, 'close')));
    // Connections without any request yet are not idle to Node.
    for (const socket of sockets) socket.destroy();
    await closed;
  };
}
