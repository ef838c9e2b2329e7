// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse as HttpResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { certificateUser } from '../access/client-certificate.ts';
import type { Handle, User } from '../messages/server-request.ts';
import { BatchedWriter } from './batched-writer.ts';
import { BodyReceiver } from './body-receiver.ts';
import { hasBody, httpRequest } from './http-request.ts';
import { pendingBody } from './pending-body.ts';
import { RequestsInOrder } from './requests-in-order.ts';
import { sendResponse } from './send-response.ts';
import { isUpgradeRequest, upgradeResponse } from './upgrade-response.ts';

/** Options of the HTTPS server. */
export interface ServeOptions {
  /** Default: 127.0.0.1. */
  host?: string;
  /** 0 for a free port. */
  port: number;
  /** Also listen on this unix socket, accessible to its owner only. */
  socketPath?: string;
  /** PEM of the serving certificate, and of the CA of client certificates. */
  tls: { cert: string; key: string; clientCa: string };
  /**
   * Milliseconds without progress, reading a response or sending a body, after which a client is disconnected. Default:
   * 30 seconds. Watches can resume.
   */
  stallTimeout?: number;
}

/** A running server. */
export interface ListeningServer {
  port: number;
  close(): Promise<void>;
}

/** Serves the API over HTTPS; client certificates authenticate users. */
export async function serve(server: { handle: Handle }, options: ServeOptions): Promise<ListeningServer> {
  const { stallTimeout = 30_000, tls } = options;
  const { cert, key, clientCa } = tls;
  const closing = new AbortController();
  const connection = {
    userOf: connectionUsers(),
    writer: new BatchedWriter(),
    bodies: new BodyReceiver(stallTimeout),
    order: new RequestsInOrder(),
    stallTimeout,
  };
  const listen = async (address: { host: string; port: number } | { path: string }): Promise<Server> => {
    const https = createServer(
      {
        cert,
        key,
        ca: clientCa,
        requestCert: true,
        rejectUnauthorized: false,
        minVersion: 'TLSv1.2',
        // Go's default limit: selectors can be long.
        maxHeaderSize: 1024 * 1024,
        shouldUpgradeCallback: isUpgradeRequest,
      },
      (request, response) => {
        void answer(server, request, response, connection);
      },
    );
    https.on('checkContinue', (request, response) => {
      void answer(server, request, response, connection);
    });
    https.on('upgrade', (request, socket, head) => {
      void answer(server, request, upgradeResponse(request, socket, head, closing.signal), connection);
    });
    // Watches stay open.
    https.requestTimeout = 0;
    https.headersTimeout = 32_000;
    https.listen(address);
    await once(https, 'listening');
    return https;
  };
  const main = await listen({ host: options.host ?? '127.0.0.1', port: options.port });
  const servers = [main];
  if (options.socketPath !== undefined) {
    await rm(options.socketPath, { force: true });
    servers.push(await listen({ path: options.socketPath }));
    await chmod(options.socketPath, 0o600);
  }
  return {
    port: (main.address() as AddressInfo).port,
    async close() {
      const closed = servers.map((https) => new Promise((resolve) => https.close(resolve)));
      for (const https of servers) https.closeAllConnections();
      closing.abort();
      await Promise.all(closed);
    },
  };
}

/** State shared by the requests of a server. */
interface Shared {
  /** The user of a connection. */
  userOf: (socket: TLSSocket) => User | undefined;
  writer: BatchedWriter;
  bodies: BodyReceiver;
  order: RequestsInOrder;
  stallTimeout: number;
}

/** Handles one request. */
async function answer(
  server: { handle: Handle },
  request: IncomingMessage,
  response: HttpResponse,
  connection: Shared,
): Promise<void> {
  const abort = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) abort.abort();
  });
  try {
    await connection.order.take(request, response);
    if (abort.signal.aborted) return;
    const user = connection.userOf(request.socket as TLSSocket);
    const body = hasBody(request) ? pendingBody(request, response, connection) : undefined;
    const asked = httpRequest(request, { user, signal: abort.signal, readBody: body?.read });
    const answered = await server.handle(asked);
    body?.abandon();
    await sendResponse(answered, response, abort.signal, connection);
  } catch {
    // The client has disconnected, or the response failed midway: close the connection.
    response.destroy();
  }
}

/** The user of a connection; cached, since reading a certificate costs more than handling a request. */
function connectionUsers(): (socket: TLSSocket) => User | undefined {
  const users = new WeakMap<TLSSocket, User | undefined>();
  return (socket) => {
    if (!users.has(socket)) users.set(socket, certificateUser(socket));
    return users.get(socket);
  };
}
