// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { ConnectionLimits } from './connection-limits.ts';
import { pipeSockets } from './pipe-sockets.ts';

/** Forwards connections to an address inside the node to a Unix socket outside; TLS stays end to end. */
export async function relay(
  from: { host: string; port: number },
  socketPath: string,
  limits: ConnectionLimits,
  signal: AbortSignal,
): Promise<void> {
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (limits.admit(client)) pipeSockets(client, connect({ path: socketPath, allowHalfOpen: true }));
  });
  signal.addEventListener('abort', () => server.close());
  await once(server.listen(from.port, from.host), 'listening');
}
