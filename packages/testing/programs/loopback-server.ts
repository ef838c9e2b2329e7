// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { KeyPair } from '@forge/pki/certificate.ts';

/** A server on a free port of the loopback interface. */
export interface LoopbackServer extends AsyncDisposable {
  /** Ends without a slash. */
  readonly url: string;
  readonly port: number;
  /** The connections that are open on the server's side. */
  readonly connections: ReadonlySet<Socket>;
}

/** Serves raw bytes: for servers that misbehave. */
export function tcpServer(serve: (socket: Socket) => void): Promise<LoopbackServer> {
  return listening(createTcpServer({ allowHalfOpen: true }, serve), 'http');
}

/** Serves HTTP, over TLS when given a certificate. */
export function httpServer(
  serve: (request: IncomingMessage, response: ServerResponse) => unknown,
  tls?: KeyPair,
): Promise<LoopbackServer> {
  const http = createHttpServer((request, response) => void serve(request, response));
  if (tls === undefined) return listening(http, 'http');
  return listening(
    createTlsServer(tls, (socket) => http.emit('connection', socket)),
    'https',
  );
}

async function listening(server: Server, protocol: string): Promise<LoopbackServer> {
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.on('error', () => undefined).on('close', () => connections.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${protocol}://127.0.0.1:${port}`,
    port,
    connections,
    async [Symbol.asyncDispose]() {
      for (const connection of connections) connection.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
